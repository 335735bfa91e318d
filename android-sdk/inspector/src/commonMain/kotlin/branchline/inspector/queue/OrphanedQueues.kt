package branchline.inspector.queue

/** What processes left behind that are no more. */
internal class OrphanedQueues(
    private val home: QueueHome,
) {
    /**
     * Takes their events over. They are deleted there only once they are safe here; should this process be killed in between, they are
     * found in both places, under the same ids.
     */
    fun adopt(
        queue: EventQueue,
        drops: DropCounter,
    ) = forEach { journal ->
        val content = journal.load()
        drops.count(DropReason.CORRUPT, content.damagedLines)
        queue.add(content.events.filterNot { queue.has(it.messageId) }, since = EventQueue.OF_EARLIER_PROCESS)
        if (queue.isOnDisk) journal.clear()
    }

    /** Deletes their events. */
    fun clear() = forEach { it.clear() }

    private inline fun forEach(use: (Journal) -> Unit) {
        for (place in home.claimOrphans()) {
            try {
                use(Journal(place.disk))
            } catch (_: DiskFailure) {
                continue
            } finally {
                place.release()
            }
        }
    }
}
