package app.service.inspector

import app.service.inspector.delivery.Delivery
import app.service.inspector.delivery.MessageIds
import app.service.inspector.delivery.ReportObserver
import app.service.inspector.delivery.ReportState
import app.service.inspector.delivery.TrackedEvent
import app.service.inspector.extraction.OwnSchema
import app.service.inspector.extraction.PropertyName
import app.service.inspector.extraction.SchemaExtractor
import app.service.inspector.platform.Clock
import app.service.inspector.platform.Level
import app.service.inspector.platform.Log
import kotlin.concurrent.Volatile

/** What an Inspector does on every platform. */
internal class InspectorCore(
    private val extractor: SchemaExtractor,
    private val clock: Clock,
    private val ids: MessageIds,
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

    fun extractSchema(properties: Any?): MutableMap<String, ServiceEventSchemaType> = OwnSchema(extractor.extract(properties))

    fun trackSchemaFromEvent(
        eventName: String?,
        properties: Any?,
    ): MutableMap<String, ServiceEventSchemaType> {
        val schema = extractor.extract(properties)
        harmlessly { report(eventName, schema) }
        return OwnSchema(schema)
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
                "The middleware could not read a payload (${fault::class.simpleName}), so its event is not reported. Check your PayloadReader.",
            )
        }

    private fun report(
        eventName: String?,
        schema: Map<String, ServiceEventSchemaType>,
    ) {
        if (eventName.isNullOrEmpty()) {
            log.line(Level.WARN, "An event without a name is not reported. Pass the name under which it is tracked.")
            return
        }
        if (isOptedOut) return
        val event = TrackedEvent(ids.next(), PropertyName.of(eventName), clock.wallMillis(), schema)
        if (log.shows(Level.DEBUG)) log.line(Level.DEBUG, "${event.eventName}: ${ServiceEventSchemaType.ServiceObject(schema)}")
        if (delivery != null) delivery.report(event) else reportUnsent(event)
    }

    private fun reportUnsent(event: TrackedEvent) {
        observer?.onTracked(event)
        observer?.onState(event.messageId, ReportState.FAILED)
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
