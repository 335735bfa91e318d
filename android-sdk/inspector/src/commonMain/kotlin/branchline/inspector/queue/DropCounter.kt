package branchline.inspector.queue

import branchline.inspector.platform.Level
import branchline.inspector.platform.Log
import branchline.inspector.wire.InspectorContract

/** Why an event was given up. */
internal enum class DropReason(
    val sentence: String,
) {
    HAND_OVER("they came faster than they could be stored"),
    OVERFLOW(
        "the queue was full (${InspectorContract.QUEUE_MAX_EVENTS} events or ${InspectorContract.QUEUE_MAX_BYTES} bytes); " +
            "the oldest go first, and the log says why they could not be sent",
    ),
    AGE("they could not be sent for ${InspectorContract.QUEUE_MAX_AGE_DAYS} days"),
    TOO_LARGE("the schema is too large to be sent; track fewer or shorter property names"),
    REJECTED("the service refused them"),
    CORRUPT("their record on disk was damaged"),
}

/** Counts what was given up. Only the worker uses it. */
internal class DropCounter(
    private val log: Log,
) {
    private val counts = IntArray(DropReason.entries.size)

    /** Logs at 1, 10, 100 …, so that a flood of drops is no flood of lines. */
    fun count(
        reason: DropReason,
        events: Int,
    ) {
        if (events <= 0) return
        val before = counts[reason.ordinal]
        val now = before + events
        counts[reason.ordinal] = now
        if (now.toString().length > before.toString().length || before == 0) {
            log.line(Level.WARN, "Dropped events, $now so far, because ${reason.sentence}.")
        }
    }
}
