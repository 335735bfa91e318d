package branchline.inspector.platform

/** A time as the contract writes it, `2026-01-02T03:04:05.678Z` (RFC 3339); before 1970 and after 9999 the nearest that can be written. */
internal expect fun formatUtc(epochMillis: Long): String

/** Milliseconds since 1970 of a date in an HTTP header, in any of its three forms (RFC 9110, section 5.6.7); null for what is no date. */
internal expect fun parseHttpDate(text: String): Long?

/** A UUID of these bits. */
internal expect fun formatUuid(
    high: Long,
    low: Long,
): String

/** CRC-32 (RFC 1952, section 8) of a text in UTF-8. */
internal expect fun checksum(text: String): Long

/** SHA-256 of a text in UTF-8, as base64url without padding (RFC 4648, section 5). */
internal expect fun digest(text: String): String

internal expect fun encodeUtf8(text: String): ByteArray

/** What is no UTF-8 becomes U+FFFD. */
internal expect fun decodeUtf8(bytes: ByteArray): String

/** What the first group of a regular expression finds in a text that it fits as a whole; null where it does not. */
internal expect fun matchFirst(
    pattern: String,
    text: String,
): String?

/** A text without control characters, and of no more than so many others. */
internal expect fun oneLine(
    text: String,
    maxLength: Int,
): String

/** The name of the class of a fault: its message may hold what is nobody's business. */
internal expect fun kindOf(fault: Throwable): String

/** The number that a text is; another where it is none. */
internal fun numberOf(
    text: String,
    otherwise: Long,
): Long =
    try {
        text.toLong()
    } catch (_: NumberFormatException) {
        otherwise
    }
