package branchline.inspector.platform

/** Where the library takes the time from. */
internal interface Clock {
    /** Milliseconds since 1970, UTC, by the clock that the user can set; it may jump either way. */
    fun wallMillis(): Long

    /** Milliseconds since some moment; never goes back while the process lives. For timers. */
    fun elapsedMillis(): Long
}
