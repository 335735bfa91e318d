package branchline.inspector.queue

import branchline.inspector.platform.formatUtc
import branchline.inspector.wire.EventReport
import branchline.inspector.wire.InspectorContract
import branchline.inspector.wire.JsonWriter
import branchline.inspector.wire.schemaText

/** Turns tracked events into what is queued. */
internal object EventEncoder {
    /** What a batch has beside its events: labels of bounded length, ids and names. */
    const val ENVELOPE_BYTES: Int = 8 * 1024

    /** The event as a batch will hold it; null when it is too large for any. */
    fun encode(
        event: TrackedEvent,
        appVersion: String,
    ): QueuedEvent? {
        val report =
            EventReport(
                messageId = event.messageId,
                eventName = event.eventName,
                observedAt = formatUtc(event.observedAtMillis),
                schema = null,
                shapeId = null,
            )
        val json = JsonWriter()
        report.writeTo(json)
        val text = json.toString().removeSuffix("}") + QueuedEvent.SCHEMA + schemaText(event.schema) + "}"
        val queued = QueuedEvent(event.messageId, event.observedAtMillis, appVersion, text)
        return if (queued.bytes <= InspectorContract.MAX_BATCH_BYTES - ENVELOPE_BYTES) queued else null
    }
}
