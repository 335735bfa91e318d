package app.service.inspector.delivery

import app.service.inspector.platform.Level
import app.service.inspector.platform.Scheduled
import kotlin.concurrent.Volatile

/** What a [Delivery] does on its worker; only that uses it, save [optedOut] and [askOptOut]. Each [step] does all that is to be done by now. */
internal class DeliveryLoop(
    private val sender: Sender,
    private var settings: Settings,
    private val parts: DeliveryParts,
    private val observers: ReportObserver,
) {
    private val drops = Drops(parts.log)
    private val file = QueueFile(parts.home, parts.clock, parts.log)
    private val queue = EventQueue(file, parts.clock, ::onDropped)
    private val sampling = Sampling(parts.home.shared, parts.clock, parts.random)
    private val optOut = OptOut(parts.home.shared, parts.log)
    private val orphans = Orphans(parts.home)
    private val dispatch = Dispatch(sender, parts, file, queue, DeliveryOutcome(queue, sampling, drops, parts.log, observers), ::step)
    private var wake = Scheduled {}
    private var started = false
    private var flushing = false
    private var closed = false

    /** What the app has asked for and is not saved yet: any thread sets it, so that it holds from the call on. */
    @Volatile
    private var askedOptOut: Boolean? = null

    /** What the disk says, when it was last read. */
    @Volatile
    private var savedOptOut = false

    /** Any thread reads it. */
    val optedOut: Boolean get() = askedOptOut ?: savedOptOut

    fun askOptOut(on: Boolean) {
        askedOptOut = on
    }

    fun step() {
        if (closed) return
        if (!started) start()
        if (obeysOptOut()) return
        queue.open()?.let(::resume)
        queue.heal()
        takeIn()
        queue.dropExpired()
        if (queue.unsent == 0) flushing = false
        dispatch.run(dueAt())
        sleep()
    }

    fun flush() {
        flushing = true
        step()
    }

    fun onBackground() {
        if (started && !closed) orphans.adopt(queue, drops)
        flush()
    }

    fun apply(changed: Settings) {
        settings = changed
        useEndpoint()
        step()
    }

    fun saveOptOut(on: Boolean) {
        if (closed) return
        if (!started) start()
        if (on) parts.inbox.drain()
        optOut.set(on)
        savedOptOut = on
        if (askedOptOut == on) askedOptOut = null
        step()
    }

    fun close() {
        if (closed) return
        step()
        closed = true
        wake.cancel()
        dispatch.cancel()
        file.close()
    }

    private fun start() {
        started = true
        sampling.load()
        useEndpoint()
    }

    private fun useEndpoint() = dispatch.useEndpoint(settings.endpoint ?: sender.defaultEndpoint)

    private fun resume(content: JournalContent) {
        drops.count(DropReason.CORRUPT, content.damagedStretches)
        dispatch.resume(content.batch)
        orphans.adopt(queue, drops)
    }

    /** Another process may have been told to report nothing, so the disk is asked. */
    private fun obeysOptOut(): Boolean {
        savedOptOut = optOut.isSet()
        if (!optedOut) return false
        parts.inbox.drain()
        dispatch.cancel()
        orphans.clear()
        queue.clear()
        wake.cancel()
        return true
    }

    private fun takeIn() {
        val handed = parts.inbox.drain()
        drops.count(DropReason.HAND_OVER, handed.refused)
        val encoded = handed.events.filter { sampling.takes() }.mapNotNull(::encode)
        if (encoded.isEmpty()) return
        queue.add(encoded)
        encoded.forEach { observers.onState(it.messageId, ReportState.QUEUED) }
        parts.log.line(Level.DEBUG, "Queued ${encoded.size} events; ${queue.size} wait to be sent.")
    }

    private fun encode(event: TrackedEvent): QueuedEvent? {
        val encoded = encodedOrNull(event)
        if (encoded == null) {
            drops.count(DropReason.TOO_LARGE, 1)
            observers.onState(event.messageId, ReportState.FAILED)
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
        events.forEach { observers.onState(it.messageId, ReportState.FAILED) }
    }

    private fun sleep() {
        wake.cancel()
        val next = listOfNotNull(dispatch.nextAt(dueAt()), queue.healAt).minOrNull() ?: return
        wake = parts.worker.schedule(maxOf(0, next - parts.clock.elapsedMillis()), ::step)
    }
}
