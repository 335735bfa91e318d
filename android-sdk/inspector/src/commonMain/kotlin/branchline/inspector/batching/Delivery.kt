package branchline.inspector.batching

import branchline.inspector.platform.Worker
import branchline.inspector.queue.Inbox
import branchline.inspector.queue.MessageIds
import branchline.inspector.queue.ReportObserver
import branchline.inspector.queue.ReportState
import branchline.inspector.queue.TrackedEvent
import kotlin.concurrent.Volatile

/**
 * Brings events to the service: at once, in batches, or when it can be reached again, and over the end of the process. One serves all
 * instances that have the same key and environment. Every method returns at once, on any thread, and none throws.
 *
 * @param makeLoop is called on the worker
 */
internal class Delivery(
    private val worker: Worker,
    private val inbox: Inbox,
    private val ids: MessageIds,
    private val makeLoop: (Delivery) -> DeliveryLoop,
) {
    private var made: DeliveryLoop? = null
    private val loop: DeliveryLoop get() = made ?: makeLoop(this).also { made = it }

    private val step: () -> Unit = {
        isAwake = false
        loop.step()
    }

    /** Whether a step is to come that will take in what is handed over now. */
    @Volatile
    private var isAwake = false

    /** What the app has asked for and is not saved yet: any thread sets it, so that it holds from the call on. */
    @Volatile
    private var askedOptOut: Boolean? = null

    /** What the disk says, when it was last read. Set by the worker. */
    @Volatile
    var savedOptOut: Boolean = false

    /** Told of every event from now on. */
    @Volatile
    var observer: ReportObserver? = null

    /** Whether nothing is reported. What an earlier process set is known as soon as the disk was read. */
    val isOptedOut: Boolean get() = askedOptOut ?: savedOptOut

    init {
        wake()
    }

    /** Takes an event over: within moments it is on disk, later it is sent. */
    fun report(event: TrackedEvent) {
        if (isOptedOut) return
        observer?.onTracked(event)
        if (!inbox.offer(event)) refuse(event)
        wake()
    }

    /** Sends what is unsent without waiting for more, though not before the pause after a failure is over. */
    fun flush() = worker.execute { loop.flush() }

    /** The app has left the foreground, and may be killed from now on. */
    fun onBackground() = worker.execute { loop.onBackground() }

    /** Takes over what the app has set. */
    fun applySettings(settings: Settings) = worker.execute { loop.apply(settings) }

    /** With true, forgets all that is unsent and reports nothing more, also after a restart, until false. */
    fun optOut(on: Boolean) {
        askedOptOut = on
        worker.execute {
            loop.saveOptOut(on)
            if (askedOptOut == on) askedOptOut = null
        }
    }

    /** Stops; what is unsent is left to the next delivery with this key and environment. */
    fun close() = worker.execute { loop.close() }

    private fun refuse(event: TrackedEvent) {
        val told = observer ?: return
        event.identify(ids)
        told.onState(event.messageId, ReportState.FAILED)
    }

    private fun wake() {
        if (isAwake) return
        isAwake = true
        var isTaken = false
        try {
            worker.execute(step)
            isTaken = true
        } finally {
            // Without memory or threads, the next event tries again.
            if (!isTaken) isAwake = false
        }
    }
}
