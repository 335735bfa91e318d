package branchline.inspector.retry

import branchline.inspector.transport.TransportReply
import branchline.inspector.wire.BatchReceipt

/** What an answer means for the batch that was sent. */
internal enum class ResponseClassification {
    /** The service has the batch. */
    DELIVERED,

    /** It may work later, as it is. */
    RETRYABLE,

    /** What answers is not the service: the endpoint is wrong, or something sits in between, such as the sign-on page of a WLAN. */
    FOREIGN,

    /** The key is not taken. */
    KEY_REFUSED,

    /** The batch can't be taken as it is; a smaller one perhaps can. */
    TOO_LARGE,
}

/**
 * What [reply] means. A 200 without a [receipt] is not the service's; its events are sent again under the same ids, so none counts
 * twice.
 */
@Suppress("MagicNumber") // Statuses say more by their numbers.
internal fun classify(
    reply: TransportReply,
    receipt: BatchReceipt?,
): ResponseClassification {
    if (reply !is TransportReply.Answered) return ResponseClassification.RETRYABLE
    return when (reply.status) {
        200 -> if (receipt == null) ResponseClassification.RETRYABLE else ResponseClassification.DELIVERED
        in 201..299 -> ResponseClassification.DELIVERED
        408, 425, 429, in 500..599 -> ResponseClassification.RETRYABLE
        400, 413 -> ResponseClassification.TOO_LARGE
        401, 403 -> ResponseClassification.KEY_REFUSED
        else -> ResponseClassification.FOREIGN
    }
}
