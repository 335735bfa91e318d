package branchline.inspector.retry

import branchline.inspector.platform.matchFirst
import branchline.inspector.platform.numberOf
import branchline.inspector.platform.parseHttpDate
import branchline.inspector.transport.TransportReply

/** The `Retry-After` header (RFC 9110, section 10.2.3): whole seconds, or a date. */
internal object RetryAfter {
    private const val MILLIS_PER_SECOND = 1_000L

    /** A longer wait is taken as this one, so that a wrong header can't silence an app for ever: an hour. */
    const val MAX_MILLIS: Long = 3_600_000L

    /** How long to wait; 0 also when the server does not say it in a way that can be read. */
    fun millis(
        reply: TransportReply,
        wallMillis: Long,
    ): Long {
        val text = reply.retryAfter?.trim().orEmpty()
        val seconds = matchFirst("([0-9]+)", text) ?: return untilDate(text, reply, wallMillis).coerceIn(0, MAX_MILLIS)
        return numberOf(seconds, MAX_MILLIS).coerceIn(0, MAX_MILLIS / MILLIS_PER_SECOND) * MILLIS_PER_SECOND
    }

    /** A date is the server's, so it is measured from the server's own time where it says that. */
    private fun untilDate(
        text: String,
        reply: TransportReply,
        wallMillis: Long,
    ): Long {
        val then = parseHttpDate(text) ?: return 0
        return then - (reply.date?.let { parseHttpDate(it.trim()) } ?: wallMillis)
    }
}
