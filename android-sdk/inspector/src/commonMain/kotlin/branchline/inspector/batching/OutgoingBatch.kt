package branchline.inspector.batching

import branchline.inspector.platform.encodeUtf8
import branchline.inspector.platform.formatUtc
import branchline.inspector.queue.EventEncoder
import branchline.inspector.queue.EventQueue
import branchline.inspector.queue.QueuedEvent
import branchline.inspector.transport.Sender
import branchline.inspector.wire.Batch
import branchline.inspector.wire.BatchApp
import branchline.inspector.wire.BatchLibrary
import branchline.inspector.wire.InspectorContract
import branchline.inspector.wire.JsonWriter

/** Events of one version of the app, sent together, and together again under the same id should that fail. */
internal class OutgoingBatch(
    val batchId: String,
    val events: List<QueuedEvent>,
) {
    /** The events that were last sent by the ids of their shapes. */
    val sentById: MutableSet<QueuedEvent> = HashSet()

    /** The JSON of the batch. [samplingRate] and [sentAtMillis] are those of now, and so are the [knownShapes]. */
    fun body(
        sender: Sender,
        knownShapes: Set<String>,
        samplingRate: Double,
        sentAtMillis: Long,
    ): ByteArray {
        val app = sender.app
        val envelope =
            Batch(
                batchId = batchId,
                sentAt = formatUtc(sentAtMillis),
                library = BatchLibrary(InspectorContract.LIBRARY_NAME, InspectorContract.LIBRARY_VERSION, sender.platform),
                app = BatchApp(app.id, app.name, events[0].appVersion),
                environment = sender.environment.wireName,
                samplingRate = samplingRate,
                events = emptyList(),
            )
        val json = JsonWriter()
        envelope.writeTo(json)
        // The events are JSON already. Inside a string of the envelope a quote is escaped, so this is found in one place only.
        val text = json.toString()
        val split = text.indexOf(NO_EVENTS) + NO_EVENTS.length - 1
        val body = StringBuilder(text.substring(0, split))
        sentById.clear()
        for (event in events) {
            val isKnown = event.shapeId in knownShapes
            if (isKnown) sentById.add(event)
            body.append(if (event === events[0]) "" else ",").append(if (isKnown) event.withShapeId() else event.json)
        }
        return encodeUtf8(body.append(text.substring(split)).toString())
    }

    internal companion object {
        private const val NO_EVENTS = "\"events\":[]"

        /** The most bytes that the events of a batch have, each with the comma after it. */
        private const val MAX_EVENT_BYTES = InspectorContract.MAX_BATCH_BYTES - EventEncoder.ENVELOPE_BYTES + 1

        /** How many of the oldest events fit into one batch. */
        fun count(
            queue: EventQueue,
            maxEvents: Int,
        ): Int {
            var bytes = 0
            var count = 0
            while (count < minOf(queue.size, maxEvents)) {
                val event = queue[count]
                bytes += event.bytes + 1
                if (bytes > MAX_EVENT_BYTES || event.appVersion != queue[0].appVersion) break
                count++
            }
            return count
        }
    }
}
