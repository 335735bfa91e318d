package branchline.inspector.batching

import branchline.inspector.platform.Level
import branchline.inspector.platform.Scheduled
import branchline.inspector.queue.DropCounter
import branchline.inspector.queue.DropReason
import branchline.inspector.queue.EventEncoder
import branchline.inspector.queue.EventQueue
import branchline.inspector.queue.JournalContent
import branchline.inspector.queue.MessageIds
import branchline.inspector.queue.OrphanedQueues
import branchline.inspector.queue.QueueFile
import branchline.inspector.queue.QueuedEvent
import branchline.inspector.queue.ReportState
import branchline.inspector.queue.TrackedEvent
import branchline.inspector.transport.Sender

/** What a [Delivery] does on its worker; only that uses it. Each [step] does all that is to be done by now. */
internal class DeliveryLoop(
    private val sender: Sender,
    private var settings: Settings,
    private val parts: DeliveryParts,
    private val delivery: Delivery,
) {
    private val drops = DropCounter(parts.log)
    private val file = QueueFile(parts.home, parts.clock, parts.log)
    private val queue = EventQueue(file, parts.clock, ::onDropped)
    private val sampling = Sampling(parts.home.shared, parts.clock, parts.random)
    private val optOut = OptOut(parts.home.shared, parts.log)
    private val orphans = OrphanedQueues(parts.home)
    private val ids = MessageIds(parts.clock, parts.random)
    private val uploader = Uploader(sender, parts, file, queue, sampling, drops, ::onState, ::step)
    private var wake: Scheduled? = null
    private var flushing = false
    private var closed = false

    init {
        sampling.load()
        delivery.savedOptOut = optOut.isSet()
        useEndpoint()
    }

    fun step() {
        if (closed || obeysOptOut()) return
        queue.open()?.let(::resume)
        queue.heal()
        takeIn()
        queue.dropExpired()
        if (queue.unsent == 0) flushing = false
        upload()
        sleep()
    }

    fun flush() {
        flushing = true
        step()
    }

    fun onBackground() {
        if (!closed) orphans.adopt(queue, drops)
        flush()
    }

    fun apply(changed: Settings) {
        settings = changed
        useEndpoint()
        step()
    }

    fun saveOptOut(on: Boolean) {
        if (closed) return
        if (on) parts.inbox.drain()
        optOut.set(on)
        delivery.savedOptOut = on
        step()
    }

    fun close() {
        if (closed) return
        step()
        closed = true
        wake?.cancel()
        uploader.cancel()
        file.close()
    }

    private fun useEndpoint() = uploader.useEndpoint(settings.endpoint ?: sender.defaultEndpoint)

    private fun resume(content: JournalContent) {
        drops.count(DropReason.CORRUPT, content.damagedLines)
        uploader.resume(content.batch)
        orphans.adopt(queue, drops)
    }

    private fun obeysOptOut(): Boolean {
        optOut.save()
        if (!delivery.isOptedOut) return false
        parts.inbox.drain()
        uploader.cancel()
        orphans.clear()
        queue.clear()
        wake?.cancel()
        return true
    }

    /** Another process of the app may have been told to report nothing, so the disk is asked before anything leaves. */
    private fun upload() {
        val dueAt = dueAt()
        if (uploader.isDue(dueAt)) delivery.savedOptOut = optOut.isSet()
        if (!obeysOptOut()) uploader.run(dueAt)
    }

    private fun takeIn() {
        val handed = parts.inbox.drain()
        drops.count(DropReason.HAND_OVER, handed.refused)
        val encoded = ArrayList<QueuedEvent>()
        for (event in handed.events) if (sampling.takes()) encode(event)?.let(encoded::add)
        if (encoded.isEmpty()) return
        queue.add(encoded)
        for (event in encoded) onState(event.messageId, ReportState.QUEUED)
        parts.log.line(Level.DEBUG, "Queued ${encoded.size} events; ${queue.size} wait to be sent.")
    }

    private fun encode(event: TrackedEvent): QueuedEvent? {
        event.identify(ids)
        val encoded = encodedOrNull(event)
        if (encoded == null) {
            drops.count(DropReason.TOO_LARGE, 1)
            onState(event.messageId, ReportState.FAILED)
        }
        return encoded
    }

    /** A schema that the app made may be nested beyond what the stack can take; that must not cost the events beside it. */
    @Suppress("TooGenericExceptionCaught")
    private fun encodedOrNull(event: TrackedEvent): QueuedEvent? =
        try {
            EventEncoder.encode(event, sender.app.version)
        } catch (_: Throwable) {
            null
        }

    private fun dueAt(): Long? {
        if (flushing) return queue.firstUnsentSince
        val environment = sender.environment
        return FlushRule.dueAt(
            queue.unsent,
            queue.firstUnsentSince,
            settings.batchSize(environment),
            settings.batchFlushSeconds(environment),
        )
    }

    private fun onDropped(
        events: List<QueuedEvent>,
        reason: DropReason,
    ) {
        drops.count(reason, events.size)
        for (event in events) onState(event.messageId, ReportState.FAILED)
    }

    /** A fault of the visual inspector stops nothing. */
    @Suppress("TooGenericExceptionCaught")
    private fun onState(
        messageId: String,
        state: ReportState,
    ) {
        try {
            delivery.observer?.onState(messageId, state)
        } catch (fault: Exception) {
            parts.log.line(Level.WARN, "The Inspector library has a fault in what shows its events; please report it: $fault")
        }
    }

    private fun sleep() {
        wake?.cancel()
        val upload = uploader.nextAt(dueAt())
        val heal = queue.healAt
        val next = if (upload == null || heal == null) upload ?: heal ?: return else minOf(upload, heal)
        wake = parts.worker.schedule(maxOf(0, next - parts.clock.elapsedMillis()), ::step)
    }
}
