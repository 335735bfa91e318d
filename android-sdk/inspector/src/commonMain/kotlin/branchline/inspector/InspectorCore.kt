package branchline.inspector

import app.service.inspector.PayloadReader
import app.service.inspector.ServiceEventSchemaType
import branchline.inspector.batching.Delivery
import branchline.inspector.extraction.OwnSchema
import branchline.inspector.extraction.PropertyName
import branchline.inspector.extraction.SchemaExtractor
import branchline.inspector.extraction.SchemaMap
import branchline.inspector.extraction.textOf
import branchline.inspector.platform.Clock
import branchline.inspector.platform.Level
import branchline.inspector.platform.Log
import branchline.inspector.platform.kindOf
import branchline.inspector.queue.MessageIds
import branchline.inspector.queue.ReportObserver
import branchline.inspector.queue.ReportState
import branchline.inspector.queue.TrackedEvent
import kotlin.concurrent.Volatile

/** What an Inspector does on every platform. */
internal class InspectorCore(
    private val extractor: SchemaExtractor,
    private val clock: Clock,
    /** For an [observer] alone. */
    private val ids: MessageIds?,
    private val log: Log,
    /** Null when nothing can be sent, since the app did not say what is needed for that. */
    private val delivery: Delivery?,
    /** Told of events that no [delivery] takes over. */
    private val observer: ReportObserver?,
) {
    @Volatile
    private var isOptedOutAlone = false

    @Volatile
    private var saidUnreadable = false

    /** What is set by the app, or by an earlier start of it. */
    var isOptedOut: Boolean
        get() = delivery?.isOptedOut ?: isOptedOutAlone
        set(on) {
            isOptedOutAlone = on
            harmlessly { delivery?.optOut(on) }
        }

    fun extractSchema(properties: Any?): MutableMap<String, ServiceEventSchemaType> = OwnSchema(extractor.extract(properties).schema)

    fun trackSchemaFromEvent(
        eventName: String?,
        properties: Any?,
    ): MutableMap<String, ServiceEventSchemaType> {
        val extracted = extractor.extract(properties)
        harmlessly { report(eventName, extracted.schema) }
        // What the app adds to a list must not reach the report.
        return OwnSchema(if (extracted.hasLists) extractor.fit(extracted.schema) else extracted.schema)
    }

    fun trackSchema(
        eventName: String?,
        schema: Map<String, ServiceEventSchemaType>?,
    ) = harmlessly { report(eventName, extractor.fit(schema)) }

    /** A middleware met a payload that it can't read; it may meet many. */
    fun onUnreadablePayload(fault: Throwable) =
        harmlessly {
            if (saidUnreadable) return@harmlessly
            saidUnreadable = true
            log.line(
                Level.WARN,
                "The middleware could not read a payload (${kindOf(fault)}), so its event is not reported. Check your PayloadReader.",
            )
        }

    private fun report(
        eventName: String?,
        schema: SchemaMap,
    ) {
        if (eventName.isNullOrEmpty()) {
            log.line(Level.WARN, "An event without a name is not reported. Pass the name under which it is tracked.")
            return
        }
        if (isOptedOut) return
        val event = TrackedEvent(PropertyName.sanitize(eventName), clock.wallMillis(), schema)
        if (log.shows(Level.DEBUG)) log.line(Level.DEBUG, "${event.eventName}: ${textOf(schema)}")
        if (delivery != null) delivery.report(event) else reportUnsent(event)
    }

    private fun reportUnsent(event: TrackedEvent) {
        if (observer == null || ids == null) return
        event.identify(ids)
        observer.onTracked(event)
        observer.onState(event.messageId, ReportState.FAILED)
    }

    /** Not even the end of memory or threads may reach the app from here. */
    @Suppress("TooGenericExceptionCaught", "SwallowedException")
    private inline fun harmlessly(work: () -> Unit) {
        try {
            work()
        } catch (fault: Throwable) {
            return
        }
    }
}
