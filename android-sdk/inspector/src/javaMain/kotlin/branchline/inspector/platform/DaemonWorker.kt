package branchline.inspector.platform

import java.util.concurrent.CountDownLatch
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit

private const val NANOS_PER_MILLI = 1_000_000L

/** A worker on a daemon thread, which is started by the first task. */
internal class DaemonWorker(
    private val name: String,
) : Worker,
    Runnable {
    private val tasks = LinkedBlockingQueue<Runnable>()

    /** When each task is to run that waits for its time, in the nanoseconds of the system. Of the thread alone. */
    private val scheduled = HashMap<Runnable, Long>()

    @Volatile
    private var isStarted = false

    override fun execute(task: Runnable) {
        tasks.add(task)
        if (!isStarted) start()
    }

    override fun schedule(
        delayMillis: Long,
        task: Runnable,
    ) {
        scheduled[task] = System.nanoTime() + delayMillis * NANOS_PER_MILLI
    }

    override fun cancel(task: Runnable) {
        scheduled.remove(task)
    }

    /** Waits until all that it was given before is done, but for what is scheduled for later. */
    fun await() {
        val done = CountDownLatch(1)
        execute { done.countDown() }
        done.await()
    }

    /** Whatever a task throws, errors too, must end neither the thread nor the app. */
    @Suppress("TooGenericExceptionCaught", "SwallowedException")
    override fun run() {
        while (true) {
            try {
                next().run()
            } catch (fault: Throwable) {
                continue
            }
        }
    }

    @Synchronized
    private fun start() {
        if (isStarted) return
        val thread = Thread(this, name)
        thread.isDaemon = true
        thread.start()
        isStarted = true
    }

    /** Waits for it. */
    private fun next(): Runnable {
        while (true) {
            var first: Runnable? = null
            var wait = Long.MAX_VALUE
            for ((task, at) in scheduled) {
                val left = at - System.nanoTime()
                if (left < wait) {
                    first = task
                    wait = left
                }
            }
            val task = tasks.poll(wait, TimeUnit.NANOSECONDS)
            if (task != null) return task
            if (first != null) {
                scheduled.remove(first)
                return first
            }
        }
    }
}
