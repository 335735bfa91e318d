@file:OptIn(ExperimentalAtomicApi::class)

package branchline.inspector.visual

import branchline.inspector.queue.ReportObserver
import branchline.inspector.queue.ReportState
import branchline.inspector.queue.TrackedEvent
import kotlin.concurrent.atomics.AtomicReference
import kotlin.concurrent.atomics.ExperimentalAtomicApi

/**
 * The events that were tracked last, for the visual inspector.
 *
 * Any thread may tell and read. Each change swaps one immutable [RecentSnapshot] for the next, so that a reader
 * always sees events and counts that belong together, and never waits for a writer.
 */
internal class RecentReports(
    private val capacity: Int = CAPACITY,
) : ReportObserver {
    private val current = AtomicReference(RecentSnapshot.EMPTY)
    private val listeners = AtomicReference<List<() -> Unit>>(emptyList())

    val snapshot: RecentSnapshot get() = current.load()

    override fun onTracked(event: TrackedEvent): Unit = change { it.plus(event, capacity) }

    override fun onState(
        messageId: String,
        state: ReportState,
    ): Unit = change { it.withState(messageId, state) }

    fun clear(): Unit = change { it.cleared() }

    /** Calls [listener] after each change, on the thread that made it. */
    fun onChange(listener: () -> Unit) {
        while (true) {
            val before = listeners.load()
            if (listeners.compareAndSet(before, before + listener)) return
        }
    }

    private fun change(next: (RecentSnapshot) -> RecentSnapshot) {
        while (true) {
            val before = current.load()
            val after = next(before)
            if (after === before) return
            if (current.compareAndSet(before, after)) break
        }
        listeners.load().forEach { it() }
    }

    private companion object {
        const val CAPACITY = 200
    }
}
