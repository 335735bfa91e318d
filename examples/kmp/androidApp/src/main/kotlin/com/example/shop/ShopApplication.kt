package com.example.shop

import android.app.Application
import app.service.inspector.ServiceInspector
import app.service.inspector.ServiceInspectorEnv

/** Uses what all platforms share. */
class ShopApplication : Application() {
    override fun onCreate() {
        super.onCreate()
        ServiceInspector.setEndpoint("https://inspector.example.com")
        Catalogue(inspectorOf(this, "<API_KEY>", ServiceInspectorEnv.Prod)).view("p-1", price = 19.95)
    }
}
