package com.example.shop

import android.app.Application
import app.service.inspector.InspectorMiddleware
import app.service.inspector.ServiceInspector
import app.service.inspector.ServiceInspectorEnv

/** The Kotlin of docs/android.md. */
internal class ShopApplication : Application() {
    lateinit var inspector: ServiceInspector

    override fun onCreate() {
        super.onCreate()
        val environment = if (BuildConfig.DEBUG) ServiceInspectorEnv.Dev else ServiceInspectorEnv.Prod
        ServiceInspector.setEndpoint("https://inspector.example.com")
        inspector = ServiceInspector("<API_KEY>", this, environment)
    }

    fun track() {
        val schema = inspector.trackSchemaFromEvent("Product Viewed", mapOf("productId" to "p-1", "price" to 19.95))
        check(schema.toString() == "{productId=string, price=float}")
    }

    fun optOut() {
        inspector.setOptOut(true)
    }

    fun intercept(
        middleware: InspectorMiddleware<ShopInspector.Payload>,
        payload: ShopInspector.Payload,
        proceed: (ShopInspector.Payload) -> Unit,
    ) {
        middleware.intercept(payload) { proceed(it) }
    }
}
