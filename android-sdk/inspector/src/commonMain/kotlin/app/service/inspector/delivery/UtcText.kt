package app.service.inspector.delivery

/** Times as the contract writes them: `2026-01-02T03:04:05.678Z` (RFC 3339). */
@Suppress("MagicNumber") // of the calendar
internal object UtcText {
    private const val MILLIS_PER_SECOND = 1_000L
    private const val MILLIS_PER_MINUTE = 60 * MILLIS_PER_SECOND
    private const val MILLIS_PER_HOUR = 60 * MILLIS_PER_MINUTE
    private const val YEAR_DIGITS = 4
    private const val MILLI_DIGITS = 3

    /** The last millisecond of the year 9999; later ones can't be written with four digits. */
    private const val LAST_MILLIS = 253_402_300_799_999L

    /** Milliseconds since 1970 as text; before 1970 and after 9999 as the nearest time that can be written. */
    fun of(epochMillis: Long): String {
        val millis = epochMillis.coerceIn(0, LAST_MILLIS)
        val date = CivilDate.ofEpochDay(millis / CivilDate.MILLIS_PER_DAY)
        val inDay = millis % CivilDate.MILLIS_PER_DAY
        val day = "${digits(date.year, YEAR_DIGITS)}-${digits(date.month)}-${digits(date.day)}"
        val time = "${digits(inDay / MILLIS_PER_HOUR)}:${digits(inDay / MILLIS_PER_MINUTE % 60)}:${digits(inDay / MILLIS_PER_SECOND % 60)}"
        return "${day}T$time.${digits(inDay % MILLIS_PER_SECOND, MILLI_DIGITS)}Z"
    }

    private fun digits(
        number: Number,
        count: Int = 2,
    ) = number.toString().padStart(count, '0')
}
