package branchline.inspector.queue

import branchline.inspector.batching.Delivery
import branchline.inspector.platform.Level
import branchline.inspector.platform.Log
import branchline.inspector.wire.InspectorContract

/** Why an event was given up. */
internal object DropReason {
    const val HAND_OVER: Int = 0
    const val OVERFLOW: Int = 1
    const val AGE: Int = 2
    const val TOO_LARGE: Int = 3
    const val REJECTED: Int = 4
    const val CORRUPT: Int = 5
    const val COUNT: Int = 6

    /** The end of a sentence that begins with "because". */
    fun explain(reason: Int): String =
        when (reason) {
            HAND_OVER -> {
                "they came faster than they could be stored"
            }

            OVERFLOW -> {
                "the queue was full (${InspectorContract.QUEUE_MAX_EVENTS} events or ${InspectorContract.QUEUE_MAX_BYTES} bytes); " +
                    "the oldest go first, and the log says why they could not be sent"
            }

            AGE -> {
                "they could not be sent for ${InspectorContract.QUEUE_MAX_AGE_DAYS} days"
            }

            TOO_LARGE -> {
                "the schema is too large to be sent; track fewer or shorter property names"
            }

            REJECTED -> {
                "the service refused them"
            }

            else -> {
                "their record on disk was damaged"
            }
        }
}

/** Counts what was given up. Only the worker uses it. */
internal open class DropCounter(
    private val log: Log,
    private val delivery: Delivery?,
) {
    private val counts = IntArray(DropReason.COUNT)

    /** Counts events that were in the queue. */
    open fun drop(
        events: List<QueuedEvent>,
        reason: Int,
    ) {
        count(reason, events.size)
        for (event in events) delivery?.onState(event.messageId, ReportState.FAILED)
    }

    /** Logs at 1, 10, 100 …, so that a flood of drops is no flood of lines. */
    fun count(
        reason: Int,
        events: Int,
    ) {
        if (events <= 0) return
        val before = counts[reason]
        val now = before + events
        counts[reason] = now
        if (before == 0 || "$now".length > "$before".length) {
            log.line(Level.WARN, "Dropped events, $now so far, because ${DropReason.explain(reason)}.")
        }
    }
}
