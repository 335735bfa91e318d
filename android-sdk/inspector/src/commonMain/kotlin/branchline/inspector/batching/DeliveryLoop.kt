@file:OptIn(ExperimentalAtomicApi::class)

package branchline.inspector.batching

import branchline.inspector.platform.Level
import branchline.inspector.platform.NEVER
import branchline.inspector.queue.DropCounter
import branchline.inspector.queue.DropReason
import branchline.inspector.queue.EventEncoder
import branchline.inspector.queue.EventQueue
import branchline.inspector.queue.MessageIds
import branchline.inspector.queue.OrphanedQueues
import branchline.inspector.queue.QueueFile
import branchline.inspector.queue.QueuedEvent
import branchline.inspector.queue.ReportState
import branchline.inspector.queue.TrackedEvent
import branchline.inspector.transport.Sender
import kotlin.concurrent.atomics.ExperimentalAtomicApi

/** What a [Delivery] does on its worker; only that uses it. Each [step] does all that is to be done by now. */
internal class DeliveryLoop(
    private val sender: Sender,
    private val parts: DeliveryParts,
    private val delivery: Delivery,
) {
    private val drops = DropCounter(parts.log, delivery)
    private val file = QueueFile(parts.home, parts.clock, parts.log)
    private val queue = EventQueue(file, parts.clock, drops)
    private val sampling = Sampling(parts.home.shared, parts.clock, parts.random)
    private val optOut = OptOut(parts.home.shared, parts.log)
    private val orphans = OrphanedQueues(parts.home, drops)
    private val ids = MessageIds(parts.clock, parts.random)
    private val uploader = Uploader(sender, parts, file, queue, sampling, drops, delivery)
    private var used: Settings? = null
    private var flushing = false
    private var closed = false

    init {
        delivery.savedOptOut = optOut.isSet()
    }

    fun step() {
        if (closed) return
        useSettings()
        uploader.takeReply()
        saveOptOut()
        if (!obeysOptOut()) work()
        if (delivery.asksToClose) close()
    }

    private fun work() {
        val found = queue.open()
        if (found != null) {
            drops.count(DropReason.CORRUPT, found.damagedLines)
            uploader.resume(found.batch)
        }
        if (found != null || delivery.asksToLeave) orphans.visit(queue)
        delivery.asksToLeave = false
        queue.heal()
        if (delivery.asksToFlush) flushing = true
        delivery.asksToFlush = false
        takeIn()
        queue.dropExpired()
        if (queue.unsent == 0) flushing = false
        upload()
        sleep()
    }

    private fun useSettings() {
        val settings = delivery.settings
        if (settings === used) return
        used = settings
        uploader.useEndpoint(settings.endpoint ?: sender.defaultEndpoint)
    }

    private fun close() {
        closed = true
        parts.worker.cancel(delivery)
        uploader.cancel()
        file.close()
    }

    private fun saveOptOut() {
        val asked = delivery.askedOptOut.load()
        if (asked != NOTHING) {
            optOut.set(asked == OPT_OUT)
            delivery.savedOptOut = asked == OPT_OUT
            delivery.askedOptOut.compareAndSet(asked, NOTHING)
        }
        optOut.save()
    }

    private fun obeysOptOut(): Boolean {
        val isOptedOut = delivery.isOptedOut
        if (isOptedOut || delivery.asksToForget) {
            delivery.asksToForget = false
            parts.inbox.drain()
            uploader.cancel()
            orphans.visit(null)
            queue.clear()
        }
        if (isOptedOut) parts.worker.cancel(delivery)
        return isOptedOut
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
        for (event in handed.events) if (sampling.takes()) encode(event, encoded)
        if (encoded.isEmpty()) return
        queue.add(encoded, parts.clock.elapsedMillis())
        for (event in encoded) delivery.onState(event.messageId, ReportState.QUEUED)
        parts.log.line(Level.DEBUG, "Queued ${encoded.size} events; ${queue.size} wait to be sent.")
    }

    /** A schema that the app made may be nested beyond what the stack can take; that must not cost the events beside it. */
    @Suppress("TooGenericExceptionCaught")
    private fun encode(
        event: TrackedEvent,
        encoded: MutableList<QueuedEvent>,
    ) {
        event.identify(ids)
        val queued =
            try {
                EventEncoder.encode(event, sender.app.version)
            } catch (_: Throwable) {
                null
            }
        if (queued == null) {
            drops.count(DropReason.TOO_LARGE, 1)
            delivery.onState(event.messageId, ReportState.FAILED)
        } else {
            encoded.add(queued)
        }
    }

    /** When unsent events are due (documented: Inspector Library for Android, "States and transitions, Batching" and "Limits"). */
    private fun dueAt(): Long {
        if (queue.unsent == 0) return NEVER
        val settings = delivery.settings
        if (flushing || queue.unsent >= settings.batchSize(sender.environment)) return queue.firstUnsentSince
        return queue.firstUnsentSince + settings.batchFlushSeconds(sender.environment) * MILLIS_PER_SECOND
    }

    private fun sleep() {
        val next = minOf(uploader.nextAt(dueAt()), queue.healAt)
        if (next == NEVER) {
            parts.worker.cancel(delivery)
        } else {
            parts.worker.schedule(maxOf(0, next - parts.clock.elapsedMillis()), delivery)
        }
    }

    private companion object {
        const val MILLIS_PER_SECOND = 1_000L
    }
}
