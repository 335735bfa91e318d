package com.example.shop

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceInspector

/** What all platforms track alike. */
class Catalogue(
    private val inspector: ServiceInspector,
) {
    fun view(
        productId: String,
        price: Double,
    ): Map<String, ServiceEventSchemaType> =
        inspector.trackSchemaFromEvent("Product Viewed", mapOf("productId" to productId, "price" to price))
}
