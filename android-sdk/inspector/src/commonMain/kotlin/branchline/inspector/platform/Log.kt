package branchline.inspector.platform

/** Where the library writes lines for the developer of the app. A line holds names and types, never values and no key. */
internal fun interface Log {
    /** @param level one of [Level] */
    fun line(
        level: Int,
        text: String,
    )

    /** Whether a line of this level is seen by anyone; if not, its text need not be made. */
    fun shows(level: Int): Boolean = true
}

/** How much a line matters. */
internal object Level {
    /** Shown when logging is enabled. */
    const val DEBUG: Int = 0

    /** Something does not work as it should: always shown. */
    const val WARN: Int = 1
}
