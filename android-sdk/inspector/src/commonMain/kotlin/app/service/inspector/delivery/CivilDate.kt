package app.service.inspector.delivery

/** A day of the Gregorian calendar from 1970 on. */
@Suppress("MagicNumber") // of the calendar
internal class CivilDate(
    val year: Int,
    /** From 1. */
    val month: Int,
    /** From 1. */
    val day: Int,
) {
    /** Days since 1970-01-01. */
    val epochDay: Long get() = (EPOCH_YEAR until year).sumOf { daysOfYear(it) } + (1 until month).sumOf { daysOfMonth(year, it) } + day - 1L

    internal companion object {
        const val MILLIS_PER_DAY: Long = 86_400_000L
        private const val EPOCH_YEAR = 1970
        private const val FEBRUARY = 2
        private val daysOfMonths = listOf(31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

        fun ofEpochDay(epochDay: Long): CivilDate {
            var left = epochDay
            var year = EPOCH_YEAR
            while (left >= daysOfYear(year)) left -= daysOfYear(year++)
            var month = 1
            while (left >= daysOfMonth(year, month)) left -= daysOfMonth(year, month++)
            return CivilDate(year, month, left.toInt() + 1)
        }

        private fun isLeap(year: Int) = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)

        private fun daysOfYear(year: Int) = if (isLeap(year)) 366 else 365

        private fun daysOfMonth(
            year: Int,
            month: Int,
        ) = daysOfMonths[month - 1] + if (month == FEBRUARY && isLeap(year)) 1 else 0
    }
}
