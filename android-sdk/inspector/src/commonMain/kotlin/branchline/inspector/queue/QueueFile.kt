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

    /** Whether the last use of the disk failed. */
    var isFailing: Boolean = false
        private set

    /** When to try again, by the elapsed clock, while it [isFailing]. */
    var healAt: Long = 0
        private set

    /** The folder that is this process's own; null while there is none. */
    val disk: Disk? get() = place?.disk

    val isOpen: Boolean get() = journal != null

    private val isTooEarly: Boolean get() = isFailing && healAt > clock.elapsedMillis()

    /** Claims a place and reads what is in it; null when that can't be had now. */
    fun open(): JournalContent? {
        if (isTooEarly) return null
        try {
            val opened = Journal((place ?: home.claim().also { place = it }).disk)
            val content = opened.load()
            journal = opened
            isFailing = false
            return content
        } catch (failure: DiskFailure) {
            onFailure(failure)
            return null
        }
    }

    /** Writes [events] behind the others; [all] is what the file should hold. Before [open] it does nothing: the file is read first. */
    fun append(
        events: List<QueuedEvent>,
        all: List<QueuedEvent>,
    ) = write(Journal.linesOf(events), all)

    /** As [Journal.lineOfBatch]. */
    fun appendBatch(
        batchId: String,
        events: List<QueuedEvent>,
        all: List<QueuedEvent>,
    ) = write(Journal.lineOfBatch(batchId, events), all)

    /** Writes [all], and nothing else. */
    fun rewrite(all: List<QueuedEvent>) = write(null, all)

    /** Writes [all] anew, if that failed before and it is time. */
    fun heal(all: List<QueuedEvent>) {
        if (isFailing) write("", all)
    }

    fun close() {
        place?.release()
        place = null
        journal = null
    }

    /** Without [lines], all is written anew. */
    private fun write(
        lines: String?,
        all: List<QueuedEvent>,
    ) {
        val open = journal ?: return
        if (isTooEarly && lines != null) return
        try {
            if (lines != null && !isFailing) open.append(lines)
            if (lines == null || isFailing || open.isMostlyDead(all)) open.rewrite(all)
            if (isFailing) log.line(Level.DEBUG, "Unsent events are on disk again.")
            isFailing = false
        } catch (failure: DiskFailure) {
            onFailure(failure)
        }
    }

    private fun onFailure(failure: DiskFailure) {
        if (!isFailing) {
            log.line(
                Level.WARN,
                "Unsent events are kept in memory only, since the disk can't be written (${failure.message}); " +
                    "free some space, or they are lost when the app ends.",
            )
        }
        isFailing = true
        healAt = clock.elapsedMillis() + HEAL_EVERY_MILLIS
    }

    private companion object {
        const val HEAL_EVERY_MILLIS = 10_000L
    }
}
