package com.example.sample

import android.app.Activity
import android.os.Bundle
import android.widget.LinearLayout
import android.widget.TextView

/** The app that every library is added to: a list of products, as ordinary Kotlin has it. */
class MainActivity : Activity() {
    private val products by lazy { Catalogue().products() }

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        Analytics.start(application)
        val list = LinearLayout(this).apply { orientation = LinearLayout.VERTICAL }
        title = Shelf.entries.joinToString { it.name.lowercase() }
        products.sortedBy { it.price }.forEach { product -> list.addView(row(product)) }
        setContentView(list)
    }

    private fun row(product: Product) =
        TextView(this).apply {
            text = "${product.name}: ${product.price} (${product.tags.joinToString()})"
            setOnClickListener { Analytics.track("Product Viewed", mapOf("name" to product.name, "tags" to product.tags)) }
        }
}

enum class Shelf {
    DRINKS,
    FOOD,
}

data class Product(
    val name: String,
    val price: Double,
    val tags: List<String>,
)

class Catalogue {
    private val lines = listOf("Tea;3.5;green,hot", "Coffee;4.0;black", "Milk;1.2;")

    fun products(): List<Product> =
        lines
            .map { it.split(';') }
            .filter { it.size == 3 }
            .mapNotNull { (name, price, tags) -> product(name, price, tags) }
            .distinctBy { it.name }

    private fun product(
        name: String,
        price: String,
        tags: String,
    ): Product? = price.toDoubleOrNull()?.let { Product(name.trim(), it, tags.split(',').filter(String::isNotEmpty)) }
}
