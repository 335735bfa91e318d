package app.service.inspector.delivery

import app.service.inspector.platform.RandomSource
import app.service.inspector.wire.InspectorContract

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

/** What to do with the batch that was sent. */
internal enum class RetryAction {
    /** It is delivered. */
    FORGET,

    /** Send it again as it is. */
    KEEP,

    /** Send its events again in smaller batches. */
    SPLIT,

    /** It has one event, which can't be delivered. */
    DROP,
}

/** What follows from a reply. */
internal class RetryStep(
    val state: RetryState,
    val action: RetryAction,
)

/** The rules of trying again: a pure function of state, verdict and chance. */
internal class Retry(
    private val random: RandomSource,
) {
    /** [sent] is the number of events in the batch. */
    fun next(
        state: RetryState,
        verdict: Verdict,
        sent: Int,
    ): RetryStep =
        when (verdict) {
            is Verdict.Taken -> {
                RetryStep(RetryState(maxEvents = grown(state.maxEvents)), RetryAction.FORGET)
            }

            is Verdict.Later -> {
                RetryStep(failed(state, verdict.retryAfterMillis), RetryAction.KEEP)
            }

            is Verdict.Elsewhere -> {
                RetryStep(failed(state, null), RetryAction.KEEP)
            }

            is Verdict.Refused -> {
                RetryStep(state.copy(waitMillis = 0, stopped = true), RetryAction.KEEP)
            }

            is Verdict.TooMuch -> {
                if (sent > 1) {
                    RetryStep(state.copy(waitMillis = 0, maxEvents = sent / 2), RetryAction.SPLIT)
                } else {
                    // Waits as after a failure: should the whole endpoint be at fault, it costs one event now and then, not all.
                    RetryStep(failed(state, null), RetryAction.DROP)
                }
            }
        }

    private fun failed(
        state: RetryState,
        retryAfterMillis: Long?,
    ): RetryState {
        val backoff = between(ceiling(state.failures) / FLOOR_SHARE, ceiling(state.failures))
        val asked = retryAfterMillis?.let { between(it, it + it / SPREAD_SHARE) } ?: 0
        return state.copy(failures = state.failures + 1, waitMillis = maxOf(backoff, asked))
    }

    private fun ceiling(failures: Int): Long = minOf(MAX_BACKOFF_MILLIS, FIRST_CEILING_MILLIS shl minOf(failures, MAX_DOUBLINGS))

    private fun grown(maxEvents: Int) = minOf(InspectorContract.MAX_EVENTS_PER_BATCH, maxEvents * 2)

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
