package branchline.inspector.platform

/** One thread that runs its tasks one after the other, so that what only they touch needs no lock. */
internal interface Worker {
    /** Runs a task as soon as those before it are done. Never blocks. */
    fun execute(task: () -> Unit)

    /** Runs a task once, after a delay in milliseconds. */
    fun schedule(
        delayMillis: Long,
        task: () -> Unit,
    ): Scheduled
}

/** A task that waits for its time. */
internal fun interface Scheduled {
    fun cancel()
}
