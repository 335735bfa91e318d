package branchline.inspector.batching

import branchline.inspector.platform.formatUtc
import branchline.inspector.queue.EventEncoder
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
    val messageIds: List<String> = events.map { it.messageId }

    /** The JSON of the batch. [samplingRate] and [sentAtMillis] are those of now. */
    fun body(
        sender: Sender,
        samplingRate: Double,
        sentAtMillis: Long,
    ): ByteArray {
        val envelope =
            Batch(
                batchId = batchId,
                sentAt = formatUtc(sentAtMillis),
                library = BatchLibrary(InspectorContract.LIBRARY_NAME, InspectorContract.LIBRARY_VERSION, sender.platform),
                app = BatchApp(sender.app.id, sender.app.name, events.first().appVersion),
                environment = sender.environment.wireName,
                samplingRate = samplingRate,
                events = emptyList(),
            )
        val text = JsonWriter().also(envelope::writeTo).toString()
        // The events are JSON already. Inside a string of the envelope a quote is escaped, so this is found in one place only.
        val at = text.indexOf(NO_EVENTS)
        check(at >= 0) { "The envelope has no events." }
        val split = at + NO_EVENTS.length - 1
        return (text.substring(0, split) + events.joinToString(",") { it.json } + text.substring(split)).encodeToByteArray()
    }

    internal companion object {
        private const val NO_EVENTS = "\"events\":[]"

        /** The most bytes that the events of a batch have, each with the comma after it. */
        private const val MAX_EVENT_BYTES = InspectorContract.MAX_BATCH_BYTES - EventEncoder.ENVELOPE_BYTES + 1

        /** Says of one event after the other whether it still fits. */
        fun limit(maxEvents: Int): (QueuedEvent) -> Boolean {
            var count = 0
            var bytes = 0
            var appVersion: String? = null
            return { event ->
                count++
                bytes += event.bytes + 1
                val isSameApp = event.appVersion == (appVersion ?: event.appVersion.also { appVersion = it })
                isSameApp && count <= maxEvents && bytes <= MAX_EVENT_BYTES
            }
        }
    }
}
