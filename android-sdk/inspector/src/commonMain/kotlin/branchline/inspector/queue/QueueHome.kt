package branchline.inspector.queue

/**
 * Where the queues of one API key and environment lie. Each process of the app claims a place of its own in it, so that no two
 * write to one file, and takes over what processes left behind that are no more.
 */
internal interface QueueHome {
    /** What all processes share: settings that are replaced as a whole. */
    val shared: Disk

    /**
     * A place that is this process's own until [QueuePlace.release] or its end.
     *
     * @throws DiskFailure when there can be none now
     */
    fun claim(): QueuePlace

    /** The places that have no living owner, claimed; each has to be released. */
    fun claimOrphans(): List<QueuePlace>
}

/** A place for one queue, claimed. */
internal interface QueuePlace {
    val disk: Disk

    fun release()
}
