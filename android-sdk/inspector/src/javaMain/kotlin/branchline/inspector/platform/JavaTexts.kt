package branchline.inspector.platform

import java.nio.charset.StandardCharsets
import java.text.ParsePosition
import java.text.SimpleDateFormat
import java.util.Date
import java.util.Locale
import java.util.TimeZone
import java.util.UUID
import java.util.regex.Pattern
import java.util.zip.CRC32

/** The last millisecond of the year 9999; later ones can't be written with four digits. */
private const val LAST_MILLIS = 253_402_300_799_999L

private val httpDates = arrayOf("EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy")

internal actual fun formatUtc(epochMillis: Long): String =
    utcFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").format(Date(epochMillis.coerceIn(0, LAST_MILLIS)))

internal actual fun parseHttpDate(text: String): Long? {
    for (pattern in httpDates) {
        val end = ParsePosition(0)
        val date = utcFormat(pattern).parse(text, end)
        if (date != null && end.index == text.length) return date.time
    }
    return null
}

internal actual fun formatUuid(
    high: Long,
    low: Long,
): String = UUID(high, low).toString()

internal actual fun checksum(text: String): Long {
    val sum = CRC32()
    sum.update(encodeUtf8(text))
    return sum.value
}

internal actual fun encodeUtf8(text: String): ByteArray = text.toByteArray(StandardCharsets.UTF_8)

internal actual fun decodeUtf8(bytes: ByteArray): String = String(bytes, StandardCharsets.UTF_8)

internal actual fun matchFirst(
    pattern: String,
    text: String,
): String? {
    val matcher = Pattern.compile(pattern).matcher(text)
    return if (matcher.matches()) matcher.group(1) else null
}

internal actual fun oneLine(
    text: String,
    maxLength: Int,
): String {
    val line = Pattern.compile("\\p{Cntrl}|[\u0080-\u009f]").matcher(text).replaceAll("")
    return line.substring(0, minOf(line.length, maxLength))
}

internal actual fun kindOf(fault: Throwable): String = fault.javaClass.simpleName

private fun utcFormat(pattern: String) = SimpleDateFormat(pattern, Locale.US).apply { timeZone = TimeZone.getTimeZone("UTC") }
