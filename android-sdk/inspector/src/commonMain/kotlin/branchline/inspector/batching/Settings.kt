package branchline.inspector.batching

import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.platform.Level
import branchline.inspector.platform.Log
import branchline.inspector.transport.Endpoint
import branchline.inspector.transport.Sender
import branchline.inspector.wire.InspectorContract

/** What the app has set by the static setters; null stands for the environment's default. Immutable. */
internal class Settings(
    val batchSize: Int? = null,
    val batchFlushSeconds: Int? = null,
    /** As the app wrote it; [Endpoint.parse] judges it. Null stands for [Sender.defaultEndpoint]. */
    val endpoint: String? = null,
) {
    /** The number of unsent events at which they are sent. */
    fun batchSize(env: ServiceInspectorEnv): Int = batchSize ?: env.batchSize

    /** The seconds that an unsent event waits at most; 0 is not to wait. */
    fun batchFlushSeconds(env: ServiceInspectorEnv): Int = batchFlushSeconds ?: env.batchFlushSeconds

    /** With another endpoint. */
    fun withEndpoint(url: String?): Settings = Settings(batchSize, batchFlushSeconds, url)

    /** With another batch size; what is out of bounds is taken as the nearest bound, and a WARN says so. */
    fun withBatchSize(
        asked: Int,
        log: Log,
    ): Settings {
        val taken = bound("Batch size", asked, InspectorContract.MIN_BATCH_SIZE, InspectorContract.MAX_BATCH_SIZE, log)
        return Settings(taken, batchFlushSeconds, endpoint)
    }

    /** With another flush interval; what is out of bounds is taken as the nearest bound, and a WARN says so. */
    fun withBatchFlushSeconds(
        asked: Int,
        log: Log,
    ): Settings {
        val least = InspectorContract.MIN_BATCH_FLUSH_SECONDS
        val most = InspectorContract.MAX_BATCH_FLUSH_SECONDS
        return Settings(batchSize, bound("Batch flush seconds", asked, least, most, log), endpoint)
    }

    private fun bound(
        what: String,
        asked: Int,
        least: Int,
        most: Int,
        log: Log,
    ): Int {
        val taken = maxOf(least, minOf(asked, most))
        if (taken != asked) log.line(Level.WARN, "$what of $asked is taken as $taken: it must be from $least to $most.")
        return taken
    }
}
