package branchline.inspector.platform

/** One thread that runs its tasks one after the other, so that what only they touch needs no lock. */
internal interface Worker {
    /** Runs a task as soon as those before it are done. Never blocks. */
    fun execute(task: Task)

    /** Runs a task once, after a delay in milliseconds, instead of when it was last scheduled for. For its own tasks. */
    fun schedule(
        delayMillis: Long,
        task: Task,
    )

    /** Does not run a task any more that was scheduled. For its own tasks. */
    fun cancel(task: Task)
}

/** A time by the elapsed clock that never comes. */
internal const val NEVER: Long = Long.MAX_VALUE
