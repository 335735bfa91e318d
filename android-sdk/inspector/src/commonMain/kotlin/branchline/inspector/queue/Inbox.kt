package branchline.inspector.queue

/** Hands as many events as a queue holds from the app's threads to the worker, without a lock that the app could wait for. */
internal expect class Inbox() {
    /** False when it is full; then it counts the event as refused. Any thread. */
    fun offer(event: TrackedEvent): Boolean

    /** Takes everything out. Only the worker. */
    fun drain(): Handed
}

/** What was handed over since the last time. */
internal class Handed(
    val events: List<TrackedEvent>,
    /** How many found no room. */
    val refused: Int,
)
