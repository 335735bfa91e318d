package branchline.inspector.retry

import branchline.inspector.platform.RandomSource
import branchline.inspector.wire.InspectorContract

/** Where sending stands between two requests. Immutable. */
internal data class RetryState(
    /** Failures since the last success. */
    val failures: Int = 0,
    /** How long to wait before the next request, in milliseconds. */
    val waitMillis: Long = 0,
    /** The most events that the next batch may have. */
    val maxEvents: Int = InspectorContract.MAX_EVENTS_PER_BATCH,
    /** Whether the key was refused: nothing is sent any more to this endpoint. */
    val stopped: Boolean = false,
)

/** The rules of trying again: a pure function of state, answer and chance. */
internal class Retry(
    private val random: RandomSource,
) {
    /**
     * The state after an answer.
     *
     * @param sent the number of events in the batch
     * @param retryAfterMillis for how long the server asks not to be asked again
     */
    fun next(
        state: RetryState,
        classification: ResponseClassification,
        sent: Int,
        retryAfterMillis: Long? = null,
    ): RetryState =
        when (classification) {
            ResponseClassification.DELIVERED -> {
                RetryState(maxEvents = minOf(InspectorContract.MAX_EVENTS_PER_BATCH, state.maxEvents * 2))
            }

            ResponseClassification.KEY_REFUSED -> {
                state.copy(waitMillis = 0, stopped = true)
            }

            ResponseClassification.RETRYABLE, ResponseClassification.FOREIGN -> {
                failed(state, retryAfterMillis)
            }

            ResponseClassification.TOO_LARGE -> {
                // One event alone waits as after a failure: should the whole endpoint be at fault, it costs an event now and then, not all.
                if (sent > 1) state.copy(waitMillis = 0, maxEvents = sent / 2) else failed(state, null)
            }
        }

    private fun failed(
        state: RetryState,
        retryAfterMillis: Long?,
    ): RetryState {
        val ceiling = minOf(MAX_BACKOFF_MILLIS, FIRST_CEILING_MILLIS shl minOf(state.failures, MAX_DOUBLINGS))
        val backoff = between(ceiling / FLOOR_SHARE, ceiling)
        val asked = if (retryAfterMillis == null) 0 else between(retryAfterMillis, retryAfterMillis + retryAfterMillis / SPREAD_SHARE)
        return state.copy(failures = state.failures + 1, waitMillis = maxOf(backoff, asked))
    }

    private fun between(
        least: Long,
        most: Long,
    ): Long = least + ((most - least) * random.nextDouble()).toLong()

    internal companion object {
        const val MAX_BACKOFF_MILLIS: Long = InspectorContract.MAX_BACKOFF_SECONDS * 1_000L

        /** The longest wait of all: what a server may ask for, spread. */
        const val MAX_WAIT_MILLIS: Long = RetryAfter.MAX_MILLIS + RetryAfter.MAX_MILLIS / 10
        private const val FIRST_CEILING_MILLIS = 1_000L
        private const val MAX_DOUBLINGS = 20

        /** Full jitter, save that a tenth of the ceiling is always waited: no two requests in a row without a pause. */
        private const val FLOOR_SHARE = 10

        /** Devices that were told the same time to come back come within a tenth more. */
        private const val SPREAD_SHARE = 10
    }
}
