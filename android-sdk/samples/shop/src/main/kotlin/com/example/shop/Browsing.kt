package com.example.shop

import app.service.inspector.ServiceInspector
import java.util.concurrent.atomic.AtomicReference

/** A customer looks around; tracked from Kotlin. */
class Browsing(
    private val inspector: ServiceInspector,
) {
    fun browse() {
        track("App Opened", emptyMap<String, Any>())
        repeat(3) { track("Product Searched", search()) }
        repeat(2) { track("Product List Viewed", productList()) }
        repeat(4) { track("Product Viewed", mapOf("product" to product(), "position" to Canary.total(1))) }
        // Somebody forgot that it is an object.
        track("Product Viewed", mapOf("product" to Canary.text("product"), "position" to Canary.total(2)))
        repeat(5) { track("Product Set Viewed", mapOf("set" to ProductSet(Canary.text("set"), listOf(brand(), null)))) }
        repeat(2) { track("Product Rated", rating()) }
        repeat(3) { track("Wishlist Changed", wishlist()) }
        track("Size Guide Opened", sizeGuide())
    }

    private fun track(
        eventName: String,
        properties: Map<String, *>,
    ) {
        inspector.trackSchemaFromEvent(eventName, properties)
    }

    private fun search() =
        mapOf(
            "query" to Canary.text("query"),
            "results" to Canary.count(2),
            "filters" to listOf(Canary.text("filter"), null),
            "sort" to null,
            "suggestions" to emptyList<String>(),
        )

    private fun productList() =
        mapOf(
            "list" to
                mapOf(
                    "id" to Canary.text("list"),
                    "products" to
                        listOf(
                            mapOf("sku" to Canary.text("sku-1"), "price" to Canary.amount(1)),
                            mapOf("sku" to Canary.text("sku-2"), "price" to Canary.amount(2)),
                            mapOf("sku" to Canary.text("sku-3"), "price" to null, "soldOut" to true),
                        ),
                ),
            "page" to Canary.count(3),
        )

    private fun product() =
        Product(
            id = Canary.text("product-id"),
            price = Canary.decimal(2),
            sizes = intArrayOf(Canary.count(4), Canary.count(5)),
            brand = brand(),
            stock = mapOf("berlin" to Canary.count(6), "vienna" to Canary.count(7)),
            replacement = null,
        )

    private fun brand() = Brand(Canary.text("brand"), Canary.date())

    private fun rating() =
        mapOf<String, Any>(
            "stars" to Canary.share(),
            "isVerified" to true,
            "review" to
                mapOf<String, Any>(
                    "text" to StringBuilder(Canary.text("review")),
                    "reactions" to mapOf("up" to Canary.count(8), "down" to Canary.count(9)),
                    "threads" to listOf(listOf(Canary.text("reply")), emptyList()),
                ),
        )

    private fun wishlist() =
        mapOf(
            "added" to setOf(Canary.text("wish-1"), Canary.text("wish-2")),
            "ranks" to longArrayOf(Canary.total(3)),
            "formerRanks" to arrayOf<Long?>(Canary.total(4), null),
            "prices" to sequenceOf(Canary.amount(3)).toList(),
            "owner" to AtomicReference(Canary.text("owner")),
        )

    private fun sizeGuide(): Map<String, Any> {
        val guide = HashMap<String, Any>()
        guide["widths"] = mapOf(38 to Canary.amount(4), 40 to Canary.amount(5))
        guide["parent"] = guide
        return guide
    }
}
