package app.service.inspector.delivery

import app.service.inspector.platform.Level
import app.service.inspector.platform.Log
import app.service.inspector.wire.BatchReceipt
import app.service.inspector.wire.RejectedEvent

/** What an answer means for the events of a batch: they leave the queue, and who watches is told. */
internal class DeliveryOutcome(
    private val queue: EventQueue,
    private val sampling: Sampling,
    private val drops: Drops,
    private val log: Log,
    private val observers: ReportObserver,
) {
    /** The share of events that is reported. */
    val samplingRate: Double get() = sampling.rate

    /** The service has the batch, save what the receipt rejects. */
    fun delivered(
        batch: OutgoingBatch,
        receipt: BatchReceipt?,
    ) {
        val rejected = receipt?.rejected.orEmpty().filter { it.index in batch.events.indices }
        val rejectedAt = rejected.mapTo(HashSet()) { it.index }
        queue.removeFirst(batch.events.size)
        batch.messageIds.forEachIndexed { index, id ->
            observers.onState(id, if (index in rejectedAt) ReportState.FAILED else ReportState.SENT)
        }
        receipt?.let { sampling.learn(it.samplingRate) }
        log.line(Level.DEBUG, "Sent ${batch.events.size} events: ${summary(receipt)}.")
        explain(rejected)
        drops.count(DropReason.REJECTED, rejectedAt.size)
    }

    /** The only event of the batch can't be delivered. */
    fun undeliverable(
        batch: OutgoingBatch,
        status: Int,
    ) {
        queue.removeFirst(batch.events.size)
        batch.messageIds.forEach { observers.onState(it, ReportState.FAILED) }
        drops.count(if (status == CONTENT_TOO_LARGE) DropReason.TOO_LARGE else DropReason.REJECTED, batch.events.size)
    }

    private fun summary(receipt: BatchReceipt?) =
        receipt?.run { "$accepted accepted, $duplicates known already, ${rejected.size} rejected" } ?: "the server gave no receipt"

    /** The reasons are the server's words, so they are bounded and kept to one line each. */
    private fun explain(rejected: List<RejectedEvent>) {
        val reasons = rejected.map { it.reason.filterNot { c -> c.isISOControl() }.take(MAX_REASON) }.distinct()
        reasons.take(MAX_REASONS).forEach { log.line(Level.WARN, "The service rejected an event: $it") }
    }

    private companion object {
        const val CONTENT_TOO_LARGE = 413
        const val MAX_REASON = 200
        const val MAX_REASONS = 3
    }
}
