package branchline.inspector.queue

import branchline.inspector.platform.Clock
import branchline.inspector.platform.NEVER
import branchline.inspector.wire.InspectorContract

/**
 * The events that wait to be sent, the oldest first, bounded in number, bytes and age. The truth is in memory; [QueueFile] keeps a
 * copy for the next process. Only the worker uses it.
 */
internal class EventQueue(
    private val file: QueueFile,
    private val clock: Clock,
    private val drops: DropCounter,
) {
    private val waiting = ArrayList<QueuedEvent>()
    private var bytes = 0L

    /** How many of the oldest are being sent just now; these are not dropped. */
    private var held = 0

    val size: Int get() = waiting.size

    /** Whether the next process would find everything. */
    val isOnDisk: Boolean get() = file.isOpen && !file.isFailing

    /** How many are not being sent just now. */
    val unsent: Int get() = waiting.size - held

    /** When the first of the [unsent], of which there is one, came, by the elapsed clock. */
    val firstUnsentSince: Long get() = waiting[held].since

    /** When [open] or [heal] wants to be called, by the elapsed clock; never when there is no use in it. */
    val healAt: Long get() = if (file.isFailing && (file.isOpen || held == 0)) file.healAt else NEVER

    /** The event at a place, from 0 for the oldest. */
    operator fun get(index: Int): QueuedEvent = waiting[index]

    /**
     * Takes in what an earlier process left in the file, once the file can be had; before what came meanwhile.
     *
     * @return what the file said; null when it was open already, or can't be had yet
     */
    fun open(): JournalContent? {
        if (file.isOpen || held > 0) return null
        val content = file.open() ?: return null
        val cameMeanwhile = head(waiting.size)
        insert(0, content.events, OF_EARLIER_PROCESS)
        file.append(cameMeanwhile, waiting)
        drop()
        return content
    }

    fun has(messageId: String): Boolean {
        for (event in waiting) if (event.messageId == messageId) return true
        return false
    }

    /** Puts events at the end, which came at a time by the elapsed clock. */
    fun add(
        events: List<QueuedEvent>,
        since: Long,
    ) {
        insert(waiting.size, events, since)
        file.append(events, waiting)
        drop()
    }

    /** So many of the oldest events. */
    fun head(count: Int): List<QueuedEvent> = ArrayList(waiting.subList(0, count))

    /** Whether these are the oldest events. */
    fun holds(events: List<QueuedEvent>): Boolean = events.size <= waiting.size && waiting.subList(0, events.size) == events

    /** Whether the oldest events are those of a batch, which is its id and theirs; false of none. */
    fun beginsWith(batch: List<String>): Boolean {
        if (batch.size < 2 || batch.size - 1 > waiting.size) return false
        for (index in 1 until batch.size) if (waiting[index - 1].messageId != batch[index]) return false
        return true
    }

    /** Notes that so many of the oldest events are being sent as this batch. */
    fun hold(
        batchId: String,
        count: Int,
    ) {
        held = count
        file.appendBatch(batchId, head(count), waiting)
    }

    /** None is being sent any more. */
    fun release() {
        held = 0
    }

    /** Forgets the oldest events but those that are kept: they are sent, or given up. */
    fun removeFirst(
        count: Int,
        kept: Collection<QueuedEvent> = emptyList(),
    ) {
        if (count == 0) return
        for (index in count - 1 downTo 0) if (waiting[index] !in kept) take(index)
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

    /** Tries again to have everything on disk, if it is not and the time for it has come. */
    fun heal() = file.heal(waiting)

    /** Gives up what is too old. */
    fun dropExpired() {
        val now = clock.elapsedMillis()
        val expired = ArrayList<QueuedEvent>()
        var index = held
        while (index < waiting.size) if (waiting[index].expiresAt <= now) expired.add(take(index)) else index++
        if (expired.isNotEmpty()) drops.drop(expired, DropReason.AGE)
    }

    /** What is dropped stays in the file until it is written anew: the next process drops it for the same reason. */
    private fun drop() {
        dropExpired()
        val dropped = ArrayList<QueuedEvent>()
        while (held < waiting.size && (waiting.size > InspectorContract.QUEUE_MAX_EVENTS || bytes > InspectorContract.QUEUE_MAX_BYTES)) {
            dropped.add(take(held))
        }
        if (dropped.isNotEmpty()) drops.drop(dropped, DropReason.OVERFLOW)
    }

    private fun take(index: Int): QueuedEvent {
        val event = waiting.removeAt(index)
        bytes -= event.bytes
        return event
    }

    private fun insert(
        at: Int,
        events: List<QueuedEvent>,
        since: Long,
    ) {
        for (event in events) {
            // An event that seems to be of the future came before the clock was set back; it is taken as new.
            val age = (clock.wallMillis() - event.observedAtMillis).coerceIn(0, MAX_AGE_MILLIS)
            event.since = since
            event.expiresAt = clock.elapsedMillis() + MAX_AGE_MILLIS - age
            bytes += event.bytes
        }
        waiting.addAll(at, events)
    }

    internal companion object {
        /** Stands for a time long past. */
        const val OF_EARLIER_PROCESS: Long = Long.MIN_VALUE / 2

        private const val MAX_AGE_MILLIS = InspectorContract.QUEUE_MAX_AGE_DAYS * 24L * 60 * 60 * 1000
    }
}
