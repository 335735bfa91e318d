package app.service.inspector.delivery

import app.service.inspector.platform.Clock
import app.service.inspector.platform.Level
import app.service.inspector.platform.Log

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
    fun open(): JournalContent? =
        attempting {
            val claimed = place ?: home.claim().also { place = it }
            val opened = Journal(claimed.disk)
            opened.load().also { journal = opened }
        }

    /** Before [open] it does nothing: what is in the file must be read before it is written. */
    fun append(
        entries: List<JournalEntry>,
        live: LiveEntries,
    ) {
        val open = journal ?: return
        if (healAt != null) return heal(live)
        attempting {
            open.append(entries)
            if (open.isMostlyDead(live.bytes)) open.rewrite(live.entries())
        }
    }

    fun clear() {
        val open = journal ?: return
        attempting { open.clear() }
    }

    /** Writes the whole anew, if it is time. */
    fun heal(live: LiveEntries) {
        val open = journal ?: return
        if (healAt == null || !isDue) return
        attempting { open.rewrite(live.entries()) } ?: return
        log.line(Level.DEBUG, "Unsent events are on disk again.")
    }

    fun close() {
        place?.release()
        place = null
        journal = null
    }

    private fun <T : Any> attempting(write: () -> T): T? =
        try {
            write().also { healAt = null }
        } catch (failure: DiskFailure) {
            if (healAt == null) {
                log.line(
                    Level.WARN,
                    "Unsent events are kept in memory only, since the disk can't be written (${failure.message}); " +
                        "free some space, or they are lost when the app ends.",
                )
            }
            healAt = clock.elapsedMillis() + HEAL_EVERY_MILLIS
            null
        }

    private companion object {
        const val HEAL_EVERY_MILLIS = 10_000L
    }
}

/** What a queue's file should say, for when it has to be written anew. */
internal class LiveEntries(
    /** About how many bytes the entries have in the file. */
    val bytes: Long,
    val entries: () -> List<JournalEntry>,
)
