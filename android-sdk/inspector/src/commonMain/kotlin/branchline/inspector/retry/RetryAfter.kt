package branchline.inspector.retry

import branchline.inspector.platform.parseHttpDate
import branchline.inspector.transport.TransportReply

/** The `Retry-After` header (RFC 9110, section 10.2.3): whole seconds, or a date. */
internal object RetryAfter {
    private const val MILLIS_PER_SECOND = 1_000L

    /** A longer wait is taken as this one, so that a wrong header can't silence an app for ever: an hour. */
    const val MAX_MILLIS: Long = 3_600_000L
    private const val MAX_DIGITS = 9

    /** How long to wait; null when the server does not say it in a way that can be read. */
    fun millis(
        answer: TransportReply.Answered,
        wallMillis: Long,
    ): Long? {
        val text = answer.retryAfter?.trim().orEmpty()
        val asked = if (text.isNotEmpty() && text.all { it in '0'..'9' }) ofSeconds(text) else untilDate(text, answer, wallMillis)
        return asked?.coerceIn(0, MAX_MILLIS)
    }

    private fun ofSeconds(digits: String): Long = if (digits.length > MAX_DIGITS) MAX_MILLIS else digits.toLong() * MILLIS_PER_SECOND

    /** A date is the server's, so it is measured from the server's own time where it says that. */
    private fun untilDate(
        text: String,
        answer: TransportReply.Answered,
        wallMillis: Long,
    ): Long? {
        val then = parseHttpDate(text) ?: return null
        return then - (answer.date?.let { parseHttpDate(it.trim()) } ?: wallMillis)
    }
}
