package branchline.inspector.queue

/** Watches what becomes of events. Must be quick, must not throw, and is called on any thread. */
internal interface ReportObserver {
    /** The app has tracked an event; called on its thread, before any [onState] of it. */
    fun onTracked(event: TrackedEvent)

    /** The event has come to a new state. Of an event that an earlier process tracked there was no [onTracked]. */
    fun onState(
        messageId: String,
        state: ReportState,
    )
}

/** How far an event has come. */
internal enum class ReportState {
    /** Waits to be sent. */
    QUEUED,

    /** The service has it. */
    SENT,

    /** It will not be sent; the log says why. */
    FAILED,
}
