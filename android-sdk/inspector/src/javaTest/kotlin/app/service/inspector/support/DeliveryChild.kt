package app.service.inspector.support

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceInspectorEnv
import app.service.inspector.delivery.DeliveryProcess
import app.service.inspector.delivery.MessageIds
import app.service.inspector.delivery.Sender
import app.service.inspector.delivery.TrackedEvent
import app.service.inspector.platform.JvmClock
import app.service.inspector.platform.Log
import app.service.inspector.platform.SecureRandomSource
import app.service.inspector.wire.BatchApp
import java.io.File

/**
 * A process of an app, for tests that start several, or kill one. Arguments: folder, endpoint, batch size. Each line that it is given is
 * the number of events to track; it answers with their ids, and ends when the input does.
 */
internal object DeliveryChild {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val (folder, endpoint, batchSize) = arguments
        DeliveryProcess.change { it.copy(endpoint = endpoint, batchSize = batchSize.toInt()) }
        val sender = Sender(DeliveryBench.API_KEY, ServiceInspectorEnv.Prod, "jvm") { BatchApp("com.example.shop", "Shop", "1.0.0") }
        val log = Log { level, text -> System.err.println("$level $text") }
        val delivery = DeliveryProcess.delivery(sender, File(folder), JvmClock, log, observer = null)
        val ids = MessageIds(JvmClock, SecureRandomSource)
        println("ready")
        generateSequence(::readLine).forEach { line ->
            val tracked = List(line.toInt()) { ids.next() }
            tracked.forEach {
                delivery.report(
                    TrackedEvent(
                        it,
                        "Event",
                        JvmClock.wallMillis(),
                        mapOf("price" to ServiceEventSchemaType.ServiceInt()),
                    ),
                )
            }
            println(tracked.joinToString(" "))
        }
    }
}
