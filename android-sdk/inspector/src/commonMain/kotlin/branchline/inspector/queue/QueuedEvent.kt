package branchline.inspector.queue

import branchline.inspector.platform.encodeUtf8

/** An event as it waits to be sent: the JSON that the batch will hold, so that what is kept is what leaves, and nothing else. */
internal class QueuedEvent(
    val messageId: String,
    /** Milliseconds since 1970, UTC, by the clock of the device. */
    val observedAtMillis: Long,
    /** The version of the app that tracked it, which after an update is not the one that sends it. */
    val appVersion: String,
    /** An `EventReport` of the contract. */
    val json: String,
) {
    /** How many bytes the JSON has in UTF-8. */
    val bytes: Int = encodeUtf8(json).size

    /** When it came to the queue, by the elapsed clock. */
    var since: Long = 0

    /** When it is too old to be sent, by the elapsed clock. */
    var expiresAt: Long = 0
}
