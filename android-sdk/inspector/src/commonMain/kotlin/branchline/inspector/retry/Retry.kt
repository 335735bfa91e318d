package branchline.inspector.retry

import branchline.inspector.platform.Clock
import branchline.inspector.platform.RandomSource
import branchline.inspector.platform.numberOf
import branchline.inspector.queue.Disk
import branchline.inspector.queue.readText
import branchline.inspector.queue.saveText
import branchline.inspector.wire.InspectorContract

/** Where sending stands between two requests, and the rules of trying again. */
internal class Retry(
    private val random: RandomSource,
    private val clock: Clock,
) {
    /** Failures since the last success. */
    var failures: Int = 0
        private set

    /** How long to wait before the next request, in milliseconds. */
    var waitMillis: Long = 0
        private set

    /** The most events that the next batch may have. */
    var maxEvents: Int = InspectorContract.MAX_EVENTS_PER_BATCH
        private set

    /** Whether the key was refused: nothing is sent any more to this endpoint. */
    var isStopped: Boolean = false
        private set

    /** As if nothing had been sent yet. */
    fun reset() {
        failures = 0
        waitMillis = 0
        maxEvents = InspectorContract.MAX_EVENTS_PER_BATCH
        isStopped = false
    }

    /**
     * Moves on after an answer.
     *
     * @param meaning one of [Meaning]
     * @param sent the number of events in the batch
     * @param askedMillis for how long the server asks not to be asked again
     */
    fun onReply(
        meaning: Int,
        sent: Int,
        askedMillis: Long,
    ) {
        val before = maxEvents
        when {
            meaning == Meaning.DELIVERED -> {
                reset()
                maxEvents = minOf(InspectorContract.MAX_EVENTS_PER_BATCH, before * 2)
            }

            meaning == Meaning.KEY_REFUSED -> {
                isStopped = true
            }

            meaning != Meaning.TOO_LARGE -> {
                fail(askedMillis)
            }

            // One event alone waits as after a failure: should the whole endpoint be at fault, it costs an event now and then, not all.
            sent > 1 -> {
                waitMillis = 0
                maxEvents = sent / 2
            }

            else -> {
                fail(0)
            }
        }
    }

    /** Keeps the wait for the next process, so that starting the app again does not cut it short. On a full disk that tries earlier. */
    fun save(disk: Disk) {
        disk.saveText(FILE, if (failures == 0) "" else "$failures $waitMillis ${clock.wallMillis()}")
    }

    /** Takes over what was saved, with what is left of the wait. A clock set back can't make it longer than it was. */
    fun load(disk: Disk) {
        val fields = disk.readText(FILE).split(' ')
        if (fields.size != FIELDS) return
        failures = numberOf(fields[0], 0).coerceIn(0, MAX_FAILURES).toInt()
        val asked = numberOf(fields[1], 0).coerceIn(0, MAX_WAIT_MILLIS)
        waitMillis = asked - (clock.wallMillis() - numberOf(fields[2], 0)).coerceIn(0, asked)
    }

    private fun fail(askedMillis: Long) {
        val ceiling = minOf(MAX_BACKOFF_MILLIS, FIRST_CEILING_MILLIS shl minOf(failures, MAX_DOUBLINGS))
        val backoff = between(ceiling / FLOOR_SHARE, ceiling)
        failures++
        waitMillis = maxOf(backoff, between(askedMillis, askedMillis + askedMillis / SPREAD_SHARE))
    }

    private fun between(
        least: Long,
        most: Long,
    ): Long = least + ((most - least) * random.nextDouble()).toLong()

    private companion object {
        const val FILE = "retry"
        const val FIELDS = 3
        const val MAX_FAILURES = 1_000L
        const val MAX_BACKOFF_MILLIS: Long = InspectorContract.MAX_BACKOFF_SECONDS * 1_000L

        /** The longest wait of all: what a server may ask for, spread. */
        const val MAX_WAIT_MILLIS: Long = RetryAfter.MAX_MILLIS + RetryAfter.MAX_MILLIS / 10
        const val FIRST_CEILING_MILLIS = 1_000L
        const val MAX_DOUBLINGS = 20

        /** Full jitter, save that a tenth of the ceiling is always waited: no two requests in a row without a pause. */
        const val FLOOR_SHARE = 10

        /** Devices that were told the same time to come back come within a tenth more. */
        const val SPREAD_SHARE = 10
    }
}
