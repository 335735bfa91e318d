package app.service.inspector.delivery

import app.service.inspector.platform.Level
import app.service.inspector.platform.Log
import kotlin.concurrent.Volatile

/** All who watch a delivery; a fault of one stops nothing. Any thread may read; only one at a time may add. */
internal class Observers(
    private val log: Log,
) : ReportObserver {
    @Volatile
    private var all = emptyList<ReportObserver>()

    /** Adds one that is not there yet. */
    fun add(observer: ReportObserver) {
        if (observer !in all) all = all + observer
    }

    override fun onTracked(event: TrackedEvent) = tell { it.onTracked(event) }

    override fun onState(
        messageId: String,
        state: ReportState,
    ) = tell { it.onState(messageId, state) }

    @Suppress("TooGenericExceptionCaught")
    private fun tell(what: (ReportObserver) -> Unit) =
        all.forEach { observer ->
            try {
                what(observer)
            } catch (fault: Exception) {
                log.line(Level.WARN, "The Inspector library has a fault in what shows its events; please report it: $fault")
            }
        }
}
