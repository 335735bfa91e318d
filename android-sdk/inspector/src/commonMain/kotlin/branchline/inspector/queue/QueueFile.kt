package branchline.inspector.queue

import branchline.inspector.platform.Clock
import branchline.inspector.platform.Level
import branchline.inspector.platform.Log

/**
 * The journal of a queue, which may fail: then the queue lives in memory alone, the log says so once, and from time to time the
 * whole is written anew until that succeeds. Only the worker uses it.
 */
internal class QueueFile(
    private val home: QueueHome,
    private val clock: Clock,
    private val log: Log,
) {
    private var place: QueuePlace? = null
    private var journal: Journal? = null

    /** When to try again, by the elapsed clock; null while all is well. */
    var healAt: Long? = null
        private set

    /** The folder that is this process's own; null while there is none. */
    val disk: Disk? get() = place?.disk

    val isOpen: Boolean get() = journal != null

    /** Whether a failure is so long ago that it is time to try again; true when there was none. */
    val isDue: Boolean get() = healAt.let { it == null || it <= clock.elapsedMillis() }

    /** Claims a place and reads what is in it; null when that can't be had now. */
    fun open(): JournalContent? {
        var content: JournalContent? = null
        attempt {
            val opened = Journal((place ?: home.claim().also { place = it }).disk)
            content = opened.load()
            journal = opened
        }
        return content
    }

    /** Writes [events] behind the others; [all] is what the file should hold. Before [open] it does nothing: the file is read first. */
    fun append(
        events: List<QueuedEvent>,
        all: List<QueuedEvent>,
    ) = write(all) {
        it.append(events)
        if (it.isMostlyDead(all)) it.rewrite(all)
    }

    /** As [Journal.appendBatch]. */
    fun appendBatch(
        batchId: String,
        messageIds: List<String>,
        all: List<QueuedEvent>,
    ) = write(all) { it.appendBatch(batchId, messageIds) }

    /** Writes [all], and nothing else. */
    fun rewrite(all: List<QueuedEvent>) {
        val open = journal ?: return
        attempt { open.rewrite(all) }
    }

    /** Writes [all] anew, if that failed before and it is time. */
    fun heal(all: List<QueuedEvent>) {
        val open = journal
        if (open == null || healAt == null || !isDue) return
        if (attempt { open.rewrite(all) }) log.line(Level.DEBUG, "Unsent events are on disk again.")
    }

    fun close() {
        place?.release()
        place = null
        journal = null
    }

    private inline fun write(
        all: List<QueuedEvent>,
        change: (Journal) -> Unit,
    ) {
        val open = journal ?: return
        if (healAt == null) attempt { change(open) } else heal(all)
    }

    private inline fun attempt(use: () -> Unit): Boolean =
        try {
            use()
            healAt = null
            true
        } catch (failure: DiskFailure) {
            onFailure(failure)
            false
        }

    private fun onFailure(failure: DiskFailure) {
        if (healAt == null) {
            log.line(
                Level.WARN,
                "Unsent events are kept in memory only, since the disk can't be written (${failure.message}); " +
                    "free some space, or they are lost when the app ends.",
            )
        }
        healAt = clock.elapsedMillis() + HEAL_EVERY_MILLIS
    }

    private companion object {
        const val HEAL_EVERY_MILLIS = 10_000L
    }
}
