package branchline.inspector.queue

import branchline.inspector.platform.Clock
import branchline.inspector.wire.InspectorContract

/**
 * The events that wait to be sent, the oldest first, bounded in number, bytes and age. The truth is in memory; [QueueFile] keeps a
 * copy for the next process. Only the worker uses it.
 */
internal class EventQueue(
    private val file: QueueFile,
    private val clock: Clock,
    private val onDropped: (List<QueuedEvent>, DropReason) -> Unit,
) {
    private val waiting = ArrayList<QueuedEvent>()
    private var bytes = 0L

    /** How many of the oldest are being sent just now; these are not dropped. */
    private var held = 0

    val size: Int get() = waiting.size

    /** Whether the next process would find everything. */
    val isOnDisk: Boolean get() = file.isOpen && file.healAt == null

    /** How many are not being sent just now. */
    val unsent: Int get() = waiting.size - held

    /** When the first of the [unsent] came, by the elapsed clock; null when there is none. */
    val firstUnsentSince: Long? get() = waiting.getOrNull(held)?.since

    /**
     * Takes in what an earlier process left in the file, once the file can be had; before what came meanwhile.
     *
     * @return what the file said; null when it was open already, or can't be had yet
     */
    fun open(): JournalContent? {
        if (file.isOpen || held > 0 || !file.isDue) return null
        val content = file.open() ?: return null
        val cameMeanwhile = ArrayList(waiting)
        insert(0, content.events, OF_EARLIER_PROCESS)
        file.append(cameMeanwhile, waiting)
        dropExpired()
        dropOverflow()
        return content
    }

    fun has(messageId: String): Boolean = waiting.any { it.messageId == messageId }

    /** Puts events at the end. */
    fun add(
        events: List<QueuedEvent>,
        since: Long = clock.elapsedMillis(),
    ) {
        insert(waiting.size, events, since)
        file.append(events, waiting)
        dropExpired()
        dropOverflow()
    }

    /** The oldest events, as many as [fits] takes in a row. */
    fun head(fits: (QueuedEvent) -> Boolean): List<QueuedEvent> = waiting.takeWhile(fits)

    /** Whether the oldest events are these. */
    fun beginsWith(messageIds: List<String>): Boolean =
        messageIds.size <= waiting.size && messageIds.indices.all { waiting[it].messageId == messageIds[it] }

    /** Notes that the oldest events, these, are being sent as this batch. */
    fun hold(
        batchId: String,
        messageIds: List<String>,
    ) {
        held = messageIds.size
        file.appendBatch(batchId, messageIds, waiting)
    }

    /** None is being sent any more. */
    fun release() {
        held = 0
    }

    /** Forgets the oldest events: they are sent, or given up. */
    fun removeFirst(count: Int) {
        if (count == 0) return
        repeat(count) { take(0) }
        held = maxOf(0, held - count)
        file.rewrite(waiting)
    }

    /** Forgets everything, on disk too. */
    fun clear() {
        waiting.clear()
        bytes = 0
        held = 0
        file.rewrite(waiting)
    }

    /** Gives up what is too old. */
    fun dropExpired() {
        val now = clock.elapsedMillis()
        drop(DropReason.AGE) { waiting.indices.firstOrNull { it >= held && waiting[it].expiresAt <= now } ?: NONE }
    }

    /** Tries again to have everything on disk, if it is not and the time for it has come. */
    fun heal() = file.heal(waiting)

    /** When [open] or [heal] wants to be called, by the elapsed clock; null when there is no use in it. */
    val healAt: Long? get() = file.healAt.takeIf { file.isOpen || held == 0 }

    private fun dropOverflow() =
        drop(DropReason.OVERFLOW) {
            val isFull = waiting.size > InspectorContract.QUEUE_MAX_EVENTS || bytes > InspectorContract.QUEUE_MAX_BYTES
            if (isFull && held < waiting.size) held else NONE
        }

    /** Their lines stay in the file until it is written anew: the next process drops them for the same reason. */
    private inline fun drop(
        reason: DropReason,
        next: () -> Int,
    ) {
        val dropped = ArrayList<QueuedEvent>()
        var index = next()
        while (index >= 0) {
            dropped += take(index)
            index = next()
        }
        if (dropped.isNotEmpty()) onDropped(dropped, reason)
    }

    private fun take(index: Int): QueuedEvent = waiting.removeAt(index).also { bytes -= it.bytes }

    private fun insert(
        at: Int,
        events: List<QueuedEvent>,
        since: Long,
    ) {
        for (event in events) {
            event.since = since
            event.expiresAt = clock.elapsedMillis() + timeLeft(event)
            bytes += event.bytes
        }
        waiting.addAll(at, events)
    }

    /** An event that seems to be of the future came before the clock was set back; it is taken as new. */
    private fun timeLeft(event: QueuedEvent): Long =
        MAX_AGE_MILLIS - (clock.wallMillis() - event.observedAtMillis).coerceIn(0, MAX_AGE_MILLIS)

    internal companion object {
        /** Stands for a time long past. */
        const val OF_EARLIER_PROCESS: Long = Long.MIN_VALUE / 2

        private const val MAX_AGE_MILLIS = InspectorContract.QUEUE_MAX_AGE_DAYS * 24L * 60 * 60 * 1000
        private const val NONE = -1
    }
}
