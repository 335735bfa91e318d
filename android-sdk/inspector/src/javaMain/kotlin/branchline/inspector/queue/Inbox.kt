package branchline.inspector.queue

import branchline.inspector.wire.InspectorContract
import java.util.concurrent.ArrayBlockingQueue
import java.util.concurrent.atomic.AtomicInteger

internal actual class Inbox {
    private val events = ArrayBlockingQueue<TrackedEvent>(InspectorContract.QUEUE_MAX_EVENTS)
    private val refused = AtomicInteger()

    actual fun offer(event: TrackedEvent): Boolean {
        val isTaken = events.offer(event)
        if (!isTaken) refused.incrementAndGet()
        return isTaken
    }

    actual fun drain(): Handed {
        val drained = ArrayList<TrackedEvent>()
        events.drainTo(drained)
        return Handed(drained, refused.getAndSet(0))
    }
}
