package app.service.inspector.delivery

/**
 * Brings events to the service: at once, in batches, or when it can be reached again, and over the end of the process. One serves all
 * instances that have the same key and environment. Every method returns at once, on any thread, and none throws.
 */
internal class Delivery(
    sender: Sender,
    settings: Settings,
    private val parts: DeliveryParts,
) {
    private val observers = Observers(parts.log)
    private val loop = DeliveryLoop(sender, settings, parts, observers)

    /** Whether nothing is reported. What an earlier process set is known as soon as the disk was read. */
    val isOptedOut: Boolean get() = loop.optedOut

    init {
        parts.worker.execute { loop.step() }
    }

    /** Has [observer] told of every event from now on. Not to be called by two threads at a time. */
    fun observe(observer: ReportObserver) = observers.add(observer)

    /** Takes an event over: within moments it is on disk, later it is sent. */
    fun report(event: TrackedEvent) {
        if (loop.optedOut) return
        observers.onTracked(event)
        if (!parts.inbox.offer(event)) observers.onState(event.messageId, ReportState.FAILED)
        parts.worker.execute { loop.step() }
    }

    /** Sends what is unsent without waiting for more, though not before the pause after a failure is over. */
    fun flush() = parts.worker.execute { loop.flush() }

    /** The app has left the foreground, and may be killed from now on. */
    fun onBackground() = parts.worker.execute { loop.onBackground() }

    /** Takes over what the app has set. */
    fun applySettings(settings: Settings) = parts.worker.execute { loop.apply(settings) }

    /** With true, forgets all that is unsent and reports nothing more, also after a restart, until false. */
    fun optOut(on: Boolean) {
        loop.askOptOut(on)
        parts.worker.execute { loop.saveOptOut(on) }
    }

    /** Stops; what is unsent is left to the next delivery with this key and environment. */
    fun close() = parts.worker.execute { loop.close() }
}
