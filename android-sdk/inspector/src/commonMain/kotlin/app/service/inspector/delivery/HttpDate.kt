package app.service.inspector.delivery

/** The three forms of a date in an HTTP header, all of which a recipient has to take (RFC 9110, section 5.6.7). */
@Suppress("MagicNumber") // of the calendar
internal object HttpDate {
    private const val EPOCH_YEAR = 1970

    /** A year of two digits is of this century: nobody sends dates of the last one. */
    private const val CENTURY = 2000
    private const val TIME = "(\\d{2}):(\\d{2}):(\\d{2})"
    private val months = listOf("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    private val month = months.joinToString("|", "(", ")")

    private val forms =
        listOf(
            Form(Regex("[A-Z][a-z]{2}, (\\d{2}) $month (\\d{4}) $TIME GMT"), day = 1, month = 2, year = 3, time = 4),
            Form(Regex("[A-Z][a-z]{5,8}, (\\d{2})-$month-(\\d{2}) $TIME GMT"), day = 1, month = 2, year = 3, time = 4),
            Form(Regex("[A-Z][a-z]{2} $month ([ \\d]\\d) $TIME (\\d{4})"), day = 2, month = 1, year = 6, time = 3),
        )

    /** Milliseconds since 1970; null for what is no date, or one before 1970. */
    fun parse(text: String): Long? = forms.firstNotNullOfOrNull { it.parse(text) }

    /** A form, and which group of its expression is which. */
    private class Form(
        private val expression: Regex,
        private val day: Int,
        private val month: Int,
        private val year: Int,
        private val time: Int,
    ) {
        fun parse(text: String): Long? {
            val groups = expression.matchEntire(text)?.groupValues ?: return null
            val written = groups[year].toInt()
            val year = if (groups[year].length == 2) CENTURY + written else written
            val days = CivilDate(year, months.indexOf(groups[month]) + 1, groups[day].trim().toInt()).epochDay
            val seconds = (0..2).fold(0L) { sum, part -> sum * 60 + groups[time + part].toLong() }
            return (days * CivilDate.MILLIS_PER_DAY + seconds * 1_000).takeIf { year >= EPOCH_YEAR }
        }
    }
}
