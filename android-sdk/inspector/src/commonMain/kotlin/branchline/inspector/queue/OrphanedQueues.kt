package branchline.inspector.queue

/** What processes left behind that are no more. */
internal class OrphanedQueues(
    private val home: QueueHome,
    private val drops: DropCounter,
) {
    /**
     * Takes their events over into [queue]; without one, forgets them. They are deleted there only once they are safe here; should this
     * process be killed in between, they are found in both places, under the same ids.
     */
    fun visit(queue: EventQueue?) {
        for (place in home.claimOrphans()) {
            try {
                val journal = Journal(place.disk)
                if (queue != null) adopt(journal.load(), queue)
                if (queue == null || queue.isOnDisk) journal.rewrite(emptyList())
            } catch (_: DiskFailure) {
                // What can't be read or deleted now is found again.
            }
            place.release()
        }
    }

    private fun adopt(
        content: JournalContent,
        queue: EventQueue,
    ) {
        drops.count(DropReason.CORRUPT, content.damagedLines)
        val events = ArrayList<QueuedEvent>()
        for (event in content.events) if (!queue.has(event.messageId)) events.add(event)
        queue.add(events, EventQueue.OF_EARLIER_PROCESS)
    }
}
