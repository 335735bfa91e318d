package branchline.inspector.support

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.batching.DeliveryProcess
import branchline.inspector.batching.Settings
import branchline.inspector.platform.JvmClock
import branchline.inspector.platform.Log
import branchline.inspector.platform.SecureRandomSource
import branchline.inspector.queue.MessageIds
import branchline.inspector.queue.TrackedEvent
import branchline.inspector.transport.Sender
import java.io.File

/**
 * A process of an app, for tests that start several, or kill one. Arguments: folder, endpoint, batch size. Each line that it is given is
 * the number of events to track; it answers with their ids, and ends when the input does.
 */
internal object DeliveryChild {
    @JvmStatic
    fun main(arguments: Array<String>) {
        val (folder, endpoint, batchSize) = arguments
        // Nothing is sent for its age, however slow the machine is.
        DeliveryProcess.change { Settings(batchSize.toInt(), batchFlushSeconds = 86_400, endpoint) }
        val sender = Sender(DeliveryBench.API_KEY, ServiceInspectorEnv.Prod, "jvm", FakeApp())
        val log = Log { level, text -> System.err.println("$level $text") }
        val delivery = DeliveryProcess.delivery(sender, File(folder), JvmClock, log, observer = null)
        val ids = MessageIds(JvmClock, SecureRandomSource)
        println("ready")
        generateSequence(::readLine).forEach { line ->
            val tracked = List(line.toInt()) { ids.next() }
            tracked.forEach {
                delivery.report(
                    TrackedEvent(
                        "Event",
                        JvmClock.wallMillis(),
                        mapOf("price" to ServiceEventSchemaType.ServiceInt()),
                        it,
                    ),
                )
            }
            println(tracked.joinToString(" "))
        }
    }
}
