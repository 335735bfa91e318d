package app.service.inspector.delivery

import app.service.inspector.ServiceInspectorEnv
import app.service.inspector.platform.Level
import app.service.inspector.platform.Log
import app.service.inspector.wire.InspectorContract

/** What the app has set by the static setters; null stands for the environment's default. Immutable. */
internal data class Settings(
    val batchSize: Int? = null,
    val batchFlushSeconds: Int? = null,
    /** As the app wrote it; [Endpoint.parse] judges it. Null stands for [Sender.defaultEndpoint]. */
    val endpoint: String? = null,
) {
    /** The number of unsent events at which they are sent. */
    fun batchSize(env: ServiceInspectorEnv): Int = batchSize ?: env.batchSize

    /** The seconds that an unsent event waits at most; 0 is not to wait. */
    fun batchFlushSeconds(env: ServiceInspectorEnv): Int = batchFlushSeconds ?: env.batchFlushSeconds

    /** With another batch size; what is out of bounds is taken as the nearest bound, and a WARN says so. */
    fun withBatchSize(
        asked: Int,
        log: Log,
    ): Settings = copy(batchSize = bounded("Batch size", asked, BATCH_SIZES, log))

    /** With another flush interval; what is out of bounds is taken as the nearest bound, and a WARN says so. */
    fun withBatchFlushSeconds(
        asked: Int,
        log: Log,
    ): Settings = copy(batchFlushSeconds = bounded("Batch flush seconds", asked, FLUSH_SECONDS, log))

    private fun bounded(
        what: String,
        asked: Int,
        bounds: IntRange,
        log: Log,
    ): Int {
        val taken = asked.coerceIn(bounds)
        if (taken != asked) {
            log.line(
                Level.WARN,
                "$what of $asked is taken as $taken: it must be from ${bounds.first} to ${bounds.last}.",
            )
        }
        return taken
    }

    internal companion object {
        val BATCH_SIZES: IntRange = InspectorContract.MIN_BATCH_SIZE..InspectorContract.MAX_BATCH_SIZE
        val FLUSH_SECONDS: IntRange = InspectorContract.MIN_BATCH_FLUSH_SECONDS..InspectorContract.MAX_BATCH_FLUSH_SECONDS
    }
}
