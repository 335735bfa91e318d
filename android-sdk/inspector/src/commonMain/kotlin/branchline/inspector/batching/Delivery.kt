@file:OptIn(ExperimentalAtomicApi::class)

package branchline.inspector.batching

import branchline.inspector.platform.Level
import branchline.inspector.platform.Log
import branchline.inspector.platform.Task
import branchline.inspector.platform.Worker
import branchline.inspector.queue.Inbox
import branchline.inspector.queue.MessageIds
import branchline.inspector.queue.ReportObserver
import branchline.inspector.queue.ReportState
import branchline.inspector.queue.TrackedEvent
import kotlin.concurrent.Volatile
import kotlin.concurrent.atomics.AtomicInt
import kotlin.concurrent.atomics.ExperimentalAtomicApi

// What an app may ask of a delivery about the opt-out.
internal const val NOTHING: Int = 0
internal const val OPT_IN: Int = 1
internal const val OPT_OUT: Int = 2

/**
 * Brings events to the service: at once, in batches, or when it can be reached again, and over the end of the process. One serves all
 * instances that have the same key and environment. Every method returns at once, on any thread, and none throws: it notes what is asked
 * for, and the worker, whose task this is, does it in its next step.
 */
internal abstract class Delivery(
    private val worker: Worker,
    private val inbox: Inbox,
    /** For an [observer] alone: the worker has its own. */
    private val ids: MessageIds?,
    private val log: Log,
    settings: Settings,
) : Task {
    private var made: DeliveryLoop? = null

    /** Whether a step is to come that will take in what is handed over now. */
    @Volatile
    private var isAwake = false

    /** What the app has asked for and is not saved yet, so that it holds from the call on: [OPT_OUT], [OPT_IN] or [NOTHING]. */
    val askedOptOut: AtomicInt = AtomicInt(NOTHING)

    /** What the disk says, when it was last read. Set by the worker. */
    @Volatile
    var savedOptOut: Boolean = false

    /** The static ones of the process. */
    @Volatile
    var settings: Settings = settings
        private set

    /** Told of every event from now on. */
    @Volatile
    var observer: ReportObserver? = null

    @Volatile
    var asksToFlush: Boolean = false

    @Volatile
    var asksToLeave: Boolean = false

    @Volatile
    var asksToForget: Boolean = false

    @Volatile
    var asksToClose: Boolean = false

    /** Whether nothing is reported. What an earlier process set is known as soon as the disk was read. */
    val isOptedOut: Boolean
        get() {
            val asked = askedOptOut.load()
            return if (asked == NOTHING) savedOptOut else asked == OPT_OUT
        }

    /** Called on the worker, once. */
    protected abstract fun makeLoop(): DeliveryLoop

    /** One of our faults must end neither the thread nor the app. */
    @Suppress("TooGenericExceptionCaught")
    override fun run() {
        isAwake = false
        try {
            val loop = made ?: makeLoop().also { made = it }
            loop.step()
        } catch (fault: Exception) {
            log.line(Level.WARN, "The Inspector library has a fault; please report it: $fault")
        }
    }

    /** Takes an event over: within moments it is on disk, later it is sent. */
    fun report(event: TrackedEvent) {
        if (isOptedOut) return
        observer?.onTracked(event)
        if (!inbox.offer(event)) refuse(event)
        wake()
    }

    /** Has the worker do what is to be done by now. */
    fun wake() {
        if (isAwake) return
        isAwake = true
        var isTaken = false
        try {
            worker.execute(this)
            isTaken = true
        } finally {
            // Without memory or threads, the next event tries again.
            if (!isTaken) isAwake = false
        }
    }

    /** Sends what is unsent without waiting for more, though not before the pause after a failure is over. */
    fun flush() {
        asksToFlush = true
        wake()
    }

    /** The app has left the foreground, and may be killed from now on. */
    fun onBackground() {
        asksToLeave = true
        flush()
    }

    /** Takes over what the app has set. */
    fun applySettings(settings: Settings) {
        this.settings = settings
        wake()
    }

    /** With true, forgets all that is unsent and reports nothing more, also after a restart, until false. */
    fun optOut(on: Boolean) {
        if (on) asksToForget = true
        askedOptOut.store(if (on) OPT_OUT else OPT_IN)
        wake()
    }

    /** Stops; what is unsent is left to the next delivery with this key and environment. */
    fun close() {
        asksToClose = true
        wake()
    }

    /** Tells the observer; a fault of it stops nothing. */
    @Suppress("TooGenericExceptionCaught")
    fun onState(
        messageId: String,
        state: ReportState,
    ) {
        val told = observer ?: return
        try {
            told.onState(messageId, state)
        } catch (fault: Exception) {
            log.line(Level.WARN, "The Inspector library has a fault in what shows its events; please report it: $fault")
        }
    }

    private fun refuse(event: TrackedEvent) {
        if (observer == null || ids == null) return
        event.identify(ids)
        onState(event.messageId, ReportState.FAILED)
    }
}
