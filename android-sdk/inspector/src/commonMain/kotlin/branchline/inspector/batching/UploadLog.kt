package branchline.inspector.batching

import branchline.inspector.platform.Level
import branchline.inspector.platform.Log
import branchline.inspector.platform.oneLine
import branchline.inspector.retry.Meaning
import branchline.inspector.transport.TransportReply
import branchline.inspector.wire.BatchReceipt

/** What sending says in the log; of what lasts, it speaks once. */
internal class UploadLog(
    private val log: Log,
) {
    private val said = HashSet<String>()

    fun noEndpoint() =
        warnOnce(
            "No endpoint is set, so events are kept and none is sent. Call ServiceInspector.setEndpoint(\"https://…\"), " +
                "or set the meta-data of the manifest.",
        )

    fun unfitEndpoint() =
        warnOnce(
            "The endpoint is not used, and nothing is sent: it must be an https:// address without user, query or fragment; " +
                "http:// is for this device or an emulator's host only.",
        )

    fun delivered(
        events: Int,
        receipt: BatchReceipt?,
    ) {
        said.clear()
        val rejected = receipt?.rejected.orEmpty()
        val summary =
            if (receipt == null) {
                "the server gave no receipt"
            } else {
                "${receipt.accepted} accepted, ${receipt.duplicates} known already, ${rejected.size} rejected"
            }
        log.line(Level.DEBUG, "Sent $events events: $summary.")
        val reasons = LinkedHashSet<String>()
        for (event in rejected) if (reasons.size < MAX_REASONS) reasons.add(oneLine(event.reason, MAX_REASON))
        for (reason in reasons) log.line(Level.WARN, "The service rejected an event: $reason")
    }

    /** Says why [events] were not delivered, and what follows. */
    fun failed(
        meaning: Int,
        reply: TransportReply,
        waitMillis: Long,
        events: Int,
    ) {
        val answer = answer(reply)
        val soon = "They are kept, and tried again in ${(waitMillis + MILLIS - 1) / MILLIS} s."
        when (meaning) {
            Meaning.FOREIGN -> {
                if (said.add("foreign")) {
                    warn("$events events were not sent. The endpoint is not the service's: it $answer. Check setEndpoint. $soon")
                }
            }

            Meaning.KEY_REFUSED -> {
                warnOnce(
                    "The service refuses the API key (it $answer), so nothing is sent until the key or the endpoint changes, " +
                        "or the app starts again. Use the key from the Inspector tab of your workspace.",
                )
            }

            Meaning.TOO_LARGE -> {
                if (events == 1) {
                    warn("The service can't take an event (it $answer); it is given up.")
                } else {
                    log.line(Level.DEBUG, "The service can't take $events events at once (it $answer); they are sent in smaller batches.")
                }
            }

            else -> {
                log.line(Level.DEBUG, "$events events were not sent: the server $answer. $soon")
            }
        }
    }

    /** What the server did. The reasons of a failure hold neither key nor values. */
    private fun answer(reply: TransportReply): String =
        when {
            reply.failure != null -> "gave no answer: ${reply.failure}"
            reply.status == OK -> "answered 200 without a receipt that can be read"
            reply.status in REDIRECT..LAST_REDIRECT -> "answered ${reply.status}, a redirect, which is never followed with the key"
            else -> "answered ${reply.status}"
        }

    private fun warnOnce(text: String) {
        if (said.add(text)) warn(text)
    }

    private fun warn(text: String) = log.line(Level.WARN, text)

    private companion object {
        const val MILLIS = 1_000L
        const val OK = 200
        const val REDIRECT = 300
        const val LAST_REDIRECT = 399

        /** The reasons of a rejection are the server's words, so they are bounded and kept to one line each. */
        const val MAX_REASON = 200
        const val MAX_REASONS = 3
    }
}
