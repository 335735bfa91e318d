package branchline.inspector.queue

import branchline.inspector.wire.InspectorContract
import java.util.concurrent.ArrayBlockingQueue
import java.util.concurrent.atomic.AtomicInteger

/** An inbox for as many events as a queue holds. */
internal class QueueInbox : Inbox {
    private val events = ArrayBlockingQueue<TrackedEvent>(InspectorContract.QUEUE_MAX_EVENTS)
    private val refused = AtomicInteger()

    override fun offer(event: TrackedEvent): Boolean = events.offer(event).also { if (!it) refused.incrementAndGet() }

    override fun drain(): Handed = Handed(ArrayList<TrackedEvent>().also { events.drainTo(it) }, refused.getAndSet(0))
}
