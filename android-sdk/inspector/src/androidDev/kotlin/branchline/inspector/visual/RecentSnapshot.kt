package branchline.inspector.visual

import branchline.inspector.queue.ReportState
import branchline.inspector.queue.TrackedEvent

/** What [RecentReports] held at one moment. */
internal class RecentSnapshot private constructor(
    val newestFirst: List<Report>,
    /** How many events were tracked since the last clear, those that are no longer kept included. */
    val tracked: Long,
    private val lastNumber: Long,
) {
    fun count(state: ReportState): Int = newestFirst.count { it.state == state }

    fun plus(
        event: TrackedEvent,
        capacity: Int,
    ): RecentSnapshot {
        val earlier = newestFirst.firstOrNull { it.event.eventName == event.eventName }
        val report = Report(lastNumber + 1, event, earlier)
        val kept = ArrayList<Report>(capacity)
        kept += report
        kept += newestFirst.subList(0, minOf(newestFirst.size, capacity - 1))
        return RecentSnapshot(kept, tracked + 1, lastNumber + 1)
    }

    /** Answers itself where nothing changes: an event that is no longer kept has no state to show. */
    fun withState(
        messageId: String,
        state: ReportState,
    ): RecentSnapshot {
        val index = newestFirst.indexOfFirst { it.event.messageId == messageId }
        if (index < 0 || newestFirst[index].state == state) return this
        val changed = ArrayList(newestFirst)
        changed[index] = changed[index].withState(state)
        return RecentSnapshot(changed, tracked, lastNumber)
    }

    fun cleared(): RecentSnapshot = if (tracked == 0L) this else RecentSnapshot(emptyList(), 0, lastNumber)

    companion object {
        val EMPTY: RecentSnapshot = RecentSnapshot(emptyList(), 0, 0)
    }
}
