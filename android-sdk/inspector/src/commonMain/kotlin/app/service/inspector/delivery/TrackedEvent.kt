package app.service.inspector.delivery

import app.service.inspector.ServiceEventSchemaType

/** An event as the app tracked it: names and types, never values. */
internal class TrackedEvent(
    /** A UUID that stays the same however often the event is sent. */
    val messageId: String,
    val eventName: String,
    /** Milliseconds since 1970, UTC, by the clock of the device. */
    val observedAtMillis: Long,
    val schema: Map<String, ServiceEventSchemaType>,
)
