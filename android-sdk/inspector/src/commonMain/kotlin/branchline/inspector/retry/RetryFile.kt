package branchline.inspector.retry

import branchline.inspector.platform.Clock
import branchline.inspector.queue.Disk
import branchline.inspector.queue.DiskFailure

/** Keeps the wait between requests for the next process, so that starting the app again does not cut it short. */
internal class RetryFile(
    private val clock: Clock,
) {
    /** Best effort: on a full disk the next process tries earlier. */
    fun save(
        disk: Disk,
        state: RetryState,
    ) {
        try {
            if (state.failures == 0) {
                disk.delete(FILE)
            } else {
                disk.replace(FILE, "${state.failures} ${state.waitMillis} ${clock.wallMillis()}".encodeToByteArray())
            }
        } catch (_: DiskFailure) {
            return
        }
    }

    /** What was saved, with what is left of the wait. A clock set back can't make it longer than it was. */
    fun load(disk: Disk): RetryState {
        val numbers = text(disk).split(' ').mapNotNull { it.toLongOrNull() }
        if (numbers.size != FIELDS) return RetryState()
        val (failures, wait, savedAt) = numbers
        val asked = wait.coerceIn(0, Retry.MAX_WAIT_MILLIS)
        val passed = (clock.wallMillis() - savedAt).coerceIn(0, asked)
        return RetryState(failures = failures.coerceIn(0, MAX_FAILURES).toInt(), waitMillis = asked - passed)
    }

    private fun text(disk: Disk): String =
        try {
            disk.read(FILE)?.decodeToString().orEmpty()
        } catch (_: DiskFailure) {
            ""
        }

    private companion object {
        const val FILE = "retry"
        const val FIELDS = 3
        const val MAX_FAILURES = 1_000L
    }
}
