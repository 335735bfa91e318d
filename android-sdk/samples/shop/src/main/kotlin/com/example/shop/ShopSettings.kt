package com.example.shop

import java.io.File

/** What the end-to-end test tells the shop, by system properties. */
object ShopSettings {
    val endpoint: String get() = value("endpoint")
    val apiKey: String get() = value("key")

    /** Outlives the process, as the folder of an app does. */
    val folder: File get() = File(value("folder"))

    private fun value(name: String) = checkNotNull(System.getProperty("shop.$name")) { "The shop needs -Dshop.$name." }
}
