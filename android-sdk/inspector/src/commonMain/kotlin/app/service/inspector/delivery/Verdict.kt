package app.service.inspector.delivery

import app.service.inspector.wire.BatchReceipt

/** What a reply means for the batch that was sent. */
internal sealed class Verdict {
    /** The service has the batch. */
    class Taken(
        /** Null when the server gave none: then all events count as accepted. */
        val receipt: BatchReceipt?,
    ) : Verdict()

    /** It may work later, as it is. */
    class Later(
        val reason: String,
        /** For how long the server asks not to be asked again, in milliseconds. */
        val retryAfterMillis: Long? = null,
    ) : Verdict()

    /** What answers is not the service: the endpoint is wrong, or something sits in between, such as the sign-on page of a WLAN. */
    class Elsewhere(
        val reason: String,
    ) : Verdict()

    /** The key is not taken. */
    class Refused(
        val status: Int,
    ) : Verdict()

    /** The batch can't be taken as it is; a smaller one perhaps can. */
    class TooMuch(
        val status: Int,
    ) : Verdict()

    internal companion object {
        private const val OK = 200
        private const val BAD_REQUEST = 400
        private const val UNAUTHORIZED = 401
        private const val FORBIDDEN = 403
        private const val REQUEST_TIMEOUT = 408
        private const val CONTENT_TOO_LARGE = 413
        private const val TOO_EARLY = 425
        private const val TOO_MANY_REQUESTS = 429
        private val successes = 200..299
        private val redirects = 300..399
        private val faults = 500..599

        /** [wallMillis] is the time by the clock of the device. */
        fun of(
            reply: TransportReply,
            wallMillis: Long,
        ): Verdict =
            when (reply) {
                is TransportReply.Failed -> Later(reply.reason)
                is TransportReply.Answered -> ofAnswer(reply, wallMillis)
            }

        private fun ofAnswer(
            answer: TransportReply.Answered,
            wallMillis: Long,
        ): Verdict =
            when (val status = answer.status) {
                OK -> {
                    ofReceipt(answer.body)
                }

                in successes -> {
                    Taken(answer.body?.let(BatchReceipt::read))
                }

                UNAUTHORIZED, FORBIDDEN -> {
                    Refused(status)
                }

                BAD_REQUEST, CONTENT_TOO_LARGE -> {
                    TooMuch(status)
                }

                REQUEST_TIMEOUT, TOO_EARLY, TOO_MANY_REQUESTS, in faults -> {
                    Later("the server answered $status", RetryAfter.millis(answer, wallMillis))
                }

                in redirects -> {
                    Elsewhere("it redirects elsewhere ($status), which is never followed with the key")
                }

                else -> {
                    Elsewhere("it answered $status, which the service does not")
                }
            }

        /** A 200 without a receipt is not the service's. The events are sent again under the same ids, so none counts twice. */
        private fun ofReceipt(body: String?): Verdict {
            val receipt = body?.let(BatchReceipt::read) ?: return Later("the server answered 200 without a receipt that can be read")
            return Taken(receipt)
        }
    }
}
