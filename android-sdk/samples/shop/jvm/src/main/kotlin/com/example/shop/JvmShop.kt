package com.example.shop

import app.service.inspector.JvmApplication
import app.service.inspector.ServiceInspector
import app.service.inspector.ServiceInspectorEnv

/** The shop on a plain JVM. */
object JvmShop {
    @JvmStatic
    fun main(arguments: Array<String>) {
        check(arguments.isEmpty()) { "The shop takes no arguments." }
        ServiceInspector.setEndpoint(ShopSettings.endpoint)
        ServiceInspector.setBatchFlushSeconds(1)
        ServiceInspector.enableLogging(true)
        val application = JvmApplication("com.example.shop", "Shop", "1.4.0", ShopSettings.folder)
        Shop(ServiceInspector(ShopSettings.apiKey, application, ServiceInspectorEnv.Prod)).open()
    }
}
