package com.example.shop

import app.service.inspector.JvmApplication
import app.service.inspector.ServiceInspector
import app.service.inspector.ServiceInspectorEnv
import java.io.File

/** Tracks from a plain JVM. Arguments: the endpoint, an API key, and a folder for what is unsent. Ends with its input. */
fun main(arguments: Array<String>) {
    val (endpoint, apiKey, folder) = arguments
    ServiceInspector.setEndpoint(endpoint)
    val application = JvmApplication("com.example.shop", "Shop", "1.0.0", File(folder))
    val catalogue = Catalogue(ServiceInspector(apiKey, application, ServiceInspectorEnv.Dev))
    println(catalogue.view("p-1", price = 19.95))
    while (System.`in`.read() >= 0) continue
}
