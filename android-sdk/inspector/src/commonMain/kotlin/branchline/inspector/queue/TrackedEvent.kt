package branchline.inspector.queue

import app.service.inspector.ServiceEventSchemaType
import kotlin.concurrent.Volatile

/** An event as the app tracked it: names and types, never values. */
internal class TrackedEvent(
    val eventName: String,
    /** Milliseconds since 1970, UTC, by the clock of the device. */
    val observedAtMillis: Long,
    val schema: Map<String, ServiceEventSchemaType>,
    messageId: String = "",
) {
    /** A UUID that stays the same however often the event is sent. Empty until the worker has made it: chance takes time. */
    @Volatile
    var messageId: String = messageId
        private set

    fun identify(ids: MessageIds) {
        if (messageId.isEmpty()) messageId = ids.next()
    }
}
