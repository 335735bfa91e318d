package branchline.inspector.visual.support

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceEventSchemaType.ServiceBoolean
import app.service.inspector.ServiceEventSchemaType.ServiceFloat
import app.service.inspector.ServiceEventSchemaType.ServiceInt
import app.service.inspector.ServiceEventSchemaType.ServiceList
import app.service.inspector.ServiceEventSchemaType.ServiceNull
import app.service.inspector.ServiceEventSchemaType.ServiceObject
import app.service.inspector.ServiceEventSchemaType.ServiceString
import branchline.inspector.queue.ReportState
import branchline.inspector.queue.TrackedEvent
import branchline.inspector.visual.RecentReports

/** 2026-03-14 09:26:53 UTC. */
internal const val MORNING: Long = 1_773_480_413_000

internal fun event(
    id: String,
    name: String,
    schema: Map<String, ServiceEventSchemaType> = mapOf("price" to ServiceInt()),
    at: Long = MORNING,
): TrackedEvent = TrackedEvent(name, at, schema, id)

/** What a visit of a shop leaves: sent, queued and failed events, nesting, and a price whose type changed. */
internal fun RecentReports.visitShop() {
    val product = mapOf("sku" to ServiceString(), "name" to ServiceString(), "price" to ServiceInt(), "in_stock" to ServiceBoolean())
    visit(0, "app_opened", mapOf("source" to ServiceString(), "cold_start" to ServiceBoolean()), ReportState.SENT)
    visit(2, "product_viewed", product, ReportState.SENT)
    visit(9, "search_submitted", mapOf("query" to ServiceString(), "results" to ServiceInt()), ReportState.SENT)
    visit(14, "product_viewed", product + mapOf("price" to ServiceFloat(), "badge" to ServiceNull()), ReportState.SENT)
    visit(21, "coupon_applied", mapOf("code" to ServiceString(), "discount" to ServiceFloat()), ReportState.FAILED)
    visit(33, "checkout_started", checkout(), ReportState.QUEUED)
}

private fun checkout() =
    mapOf(
        "total" to ServiceFloat(),
        "currency" to ServiceString(),
        "tags" to ServiceList(linkedSetOf(ServiceString(), ServiceNull())),
        "items" to ServiceList(setOf(ServiceObject(mapOf("sku" to ServiceString(), "quantity" to ServiceInt())))),
        "customer" to ServiceObject(mapOf("returning" to ServiceBoolean(), "orders" to ServiceInt())),
    )

private fun RecentReports.visit(
    second: Int,
    name: String,
    schema: Map<String, ServiceEventSchemaType>,
    state: ReportState,
) {
    val id = "visit-$second"
    onTracked(event(id, name, schema, MORNING + second * 1000L))
    onState(id, state)
}
