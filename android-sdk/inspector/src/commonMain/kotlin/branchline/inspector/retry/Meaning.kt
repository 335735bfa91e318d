package branchline.inspector.retry

import branchline.inspector.transport.TransportReply
import branchline.inspector.wire.BatchReceipt

/** What an answer means for the batch that was sent. */
internal object Meaning {
    /** The service has the batch. */
    const val DELIVERED: Int = 0

    /** It may work later, as it is. */
    const val RETRYABLE: Int = 1

    /** What answers is not the service: the endpoint is wrong, or something sits in between, such as the sign-on page of a WLAN. */
    const val FOREIGN: Int = 2

    /** The key is not taken. */
    const val KEY_REFUSED: Int = 3

    /** The batch can't be taken as it is; a smaller one perhaps can. */
    const val TOO_LARGE: Int = 4

    /**
     * What [reply] means. A 200 without a [receipt] is not the service's; its events are sent again under the same ids, so none counts
     * twice.
     */
    @Suppress("MagicNumber") // Statuses say more by their numbers.
    fun of(
        reply: TransportReply,
        receipt: BatchReceipt?,
    ): Int =
        when (reply.status) {
            200 -> if (receipt == null) RETRYABLE else DELIVERED
            in 201..299 -> DELIVERED
            TransportReply.NONE, 408, 425, 429, in 500..599 -> RETRYABLE
            400, 413 -> TOO_LARGE
            401, 403 -> KEY_REFUSED
            else -> FOREIGN
        }
}
