package branchline.inspector.platform

import java.util.concurrent.ScheduledThreadPoolExecutor
import java.util.concurrent.TimeUnit

/** A worker on a daemon thread, which is started by the first task. */
internal class DaemonWorker(
    name: String,
) : Worker {
    private val executor =
        ScheduledThreadPoolExecutor(1) { task -> Thread(task, name).apply { isDaemon = true } }.apply { removeOnCancelPolicy = true }

    override fun execute(task: () -> Unit) = executor.execute(task)

    /** Waits until all that it was given before is done, but for what is scheduled for later. */
    fun await() {
        executor.submit {}.get()
    }

    override fun schedule(
        delayMillis: Long,
        task: () -> Unit,
    ): Scheduled {
        val future = executor.schedule(Runnable(task), delayMillis, TimeUnit.MILLISECONDS)
        return Scheduled { future.cancel(false) }
    }
}
