package branchline.inspector.support

import branchline.inspector.platform.Clock
import branchline.inspector.platform.Task
import branchline.inspector.platform.Worker

/** Time that passes only when a test says so. Its workers run what is due, in order, on the test's thread. */
internal class FakeClock(
    private var wall: Long = START,
) : Clock {
    private var elapsed = 5_000L
    private val tasks = ArrayList<Due>()

    override fun wallMillis(): Long = wall

    override fun elapsedMillis(): Long = elapsed

    fun worker(): Worker =
        object : Worker {
            override fun execute(task: Task) {
                tasks += Due(elapsed, task, isScheduled = false)
            }

            override fun schedule(
                delayMillis: Long,
                task: Task,
            ) {
                cancel(task)
                tasks += Due(elapsed + delayMillis, task, isScheduled = true)
            }

            override fun cancel(task: Task) {
                tasks.removeAll { it.task === task && it.isScheduled }
            }
        }

    /** Runs all that is due now. */
    fun settle() = advance(0)

    /** Lets time pass, running each task when its time has come. */
    fun advance(millis: Long) {
        val end = elapsed + millis
        var rounds = 0
        while (true) {
            val next = tasks.minByOrNull { it.at }?.takeIf { it.at <= end } ?: break
            tasks.remove(next)
            pass(maxOf(0, next.at - elapsed))
            next.task.run()
            check(++rounds < MANY) { "Tasks keep coming without time passing." }
        }
        pass(end - elapsed)
    }

    /** The user sets the clock of the device. */
    fun setWall(millis: Long) {
        wall = millis
    }

    /** Forgets all that was to come, as the end of a process does. */
    fun killTasks() = tasks.clear()

    private fun pass(millis: Long) {
        elapsed += millis
        wall += millis
    }

    private class Due(
        val at: Long,
        val task: Task,
        val isScheduled: Boolean,
    )

    internal companion object {
        /** 2026-01-02T03:04:05.678Z. */
        const val START: Long = 1_767_323_045_678L
        private const val MANY = 1_000_000
    }
}
