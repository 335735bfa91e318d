package com.example.shop

import android.app.Activity
import android.os.Bundle
import android.widget.Button
import app.service.inspector.DebuggerMode

/** Shows a product, and sells it. */
class MainActivity : Activity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        val inspector = (application as ShopApplication).inspector
        inspector.trackSchemaFromEvent("Product Viewed", mapOf("productId" to "p-1", "price" to 19.95, "tags" to listOf("tea", null)))

        val checkout = Checkout(inspector)
        val buy = Button(this)
        buy.text = "Buy"
        buy.setOnClickListener { checkout.placeOrder("p-1", 2) }
        // The dev artifact shows what was tracked; the prod one does nothing here.
        buy.setOnLongClickListener {
            inspector.showVisualInspector(this, DebuggerMode.BAR)
            true
        }
        setContentView(buy)
    }
}
