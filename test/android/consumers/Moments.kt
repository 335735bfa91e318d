@file:OptIn(ExperimentalTime::class, ExperimentalUuidApi::class)

package com.example.moments

import app.service.inspector.ServiceInspector
import kotlin.time.Clock
import kotlin.time.ExperimentalTime
import kotlin.uuid.ExperimentalUuidApi
import kotlin.uuid.Uuid

/** Says what the library makes of the moments and ids of Kotlin. */
fun main() {
    val properties = mapOf("at" to Clock.System.now(), "id" to Uuid.random(), "all" to listOf(Clock.System.now()))
    println(ServiceInspector(null, null, null).extractSchema(properties))
}
