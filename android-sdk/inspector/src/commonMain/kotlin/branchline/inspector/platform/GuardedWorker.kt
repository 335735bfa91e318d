package branchline.inspector.platform

/** A worker that outlives faults of its tasks: one of ours must end neither the thread nor the app. */
internal class GuardedWorker(
    private val worker: Worker,
    private val log: Log,
) : Worker {
    override fun execute(task: () -> Unit) = worker.execute { guarded(task) }

    override fun schedule(
        delayMillis: Long,
        task: () -> Unit,
    ): Scheduled = worker.schedule(delayMillis) { guarded(task) }

    @Suppress("TooGenericExceptionCaught")
    private fun guarded(task: () -> Unit) =
        try {
            task()
        } catch (fault: Exception) {
            log.line(Level.WARN, "The Inspector library has a fault; please report it: $fault")
        }
}
