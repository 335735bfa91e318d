package branchline.inspector.platform

/** Where the library writes lines for the developer of the app. A line holds names and types, never values and no key. */
internal fun interface Log {
    fun line(
        level: Level,
        text: String,
    )

    /** Whether a line of this level is seen by anyone; if not, its text need not be made. */
    fun shows(level: Level): Boolean = true
}

/** How much a line matters. */
internal enum class Level {
    /** Shown when logging is enabled. */
    DEBUG,

    /** Something does not work as it should: always shown. */
    WARN,
}
