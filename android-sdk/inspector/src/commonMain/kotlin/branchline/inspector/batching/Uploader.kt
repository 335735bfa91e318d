package branchline.inspector.batching

import branchline.inspector.queue.DropCounter
import branchline.inspector.queue.DropReason
import branchline.inspector.queue.EventQueue
import branchline.inspector.queue.MessageIds
import branchline.inspector.queue.QueueFile
import branchline.inspector.queue.ReportState
import branchline.inspector.retry.ResponseClassification
import branchline.inspector.retry.Retry
import branchline.inspector.retry.RetryAfter
import branchline.inspector.retry.RetryFile
import branchline.inspector.retry.RetryState
import branchline.inspector.retry.classify
import branchline.inspector.transport.Endpoint
import branchline.inspector.transport.Sender
import branchline.inspector.transport.TransportReply
import branchline.inspector.transport.TransportRequest
import branchline.inspector.wire.BatchReceipt

/** Sends one batch at a time, and decides with [Retry] what follows from the answer. Only the worker uses it. */
internal class Uploader(
    private val sender: Sender,
    private val parts: DeliveryParts,
    private val file: QueueFile,
    private val queue: EventQueue,
    private val sampling: Sampling,
    private val drops: DropCounter,
    private val onState: (String, ReportState) -> Unit,
    private val step: () -> Unit,
) {
    private val retry = Retry(parts.random)
    private val retryFile = RetryFile(parts.clock)
    private val ids = MessageIds(parts.clock, parts.random)
    private val words = UploadLog(parts.log)
    private var endpoint: Endpoint? = null
    private var endpointText: String? = null
    private var state = RetryState()
    private var notBefore = Long.MIN_VALUE

    /** Formed, but not delivered: sent again as it is while its events are still the oldest. */
    private var pending: OutgoingBatch? = null
    private var exchange: Exchange? = null

    /** Another endpoint may take what the last one refused. */
    fun useEndpoint(text: String?) {
        if (text == endpointText) return
        endpointText = text
        endpoint = text?.let(Endpoint::parse)
        if (text != null && endpoint == null) words.unfitEndpoint()
        state = RetryState()
        notBefore = Long.MIN_VALUE
    }

    /** Goes on where an earlier process stopped; [batch] is the id of a batch, and those of its events. */
    fun resume(batch: List<String>) {
        if (state.failures == 0) file.disk?.let { state = retryFile.load(it) }
        notBefore = parts.clock.elapsedMillis() + state.waitMillis
        val messageIds = batch.drop(1)
        if (messageIds.isEmpty() || !queue.beginsWith(messageIds)) return
        var left = messageIds.size
        pending = OutgoingBatch(batch[0], queue.head { left-- > 0 })
    }

    /** When [run] wants to be called, by the elapsed clock; null when only a reply or another event changes anything. */
    fun nextAt(dueAt: Long?): Long? {
        exchange?.let { return it.deadline }
        val at = if (pending == null) dueAt else Long.MIN_VALUE
        return at?.takeIf { endpoint != null && !state.stopped }?.let { maxOf(it, notBefore) }
    }

    /** Sends a batch, if it is time; ends an exchange that takes too long. */
    fun run(dueAt: Long?) {
        if (dueAt != null && endpointText == null) words.noEndpoint()
        if (!isDue(dueAt)) return
        val running = exchange
        if (running == null) send(endpoint ?: return) else end(running)
    }

    /** Whether [run] has something to do. */
    fun isDue(dueAt: Long?): Boolean {
        val at = nextAt(dueAt)
        return at != null && at <= parts.clock.elapsedMillis()
    }

    /** Forgets the batch that is being sent, and the reply to it. */
    fun cancel() {
        exchange?.let(::end)
        exchange = null
        pending = null
        queue.release()
    }

    private fun send(to: Endpoint) {
        val batch = nextBatch() ?: return
        pending = batch
        val request = TransportRequest(to.url, sender.apiKey, batch.body(sender, sampling.rate, parts.clock.wallMillis()))
        val started = Exchange(batch, to, request, parts.clock.elapsedMillis() + MAX_EXCHANGE_MILLIS)
        exchange = started
        queue.hold(batch.batchId, batch.messageIds)
        parts.networkWorker.execute {
            val reply = parts.transport.send(request)
            parts.worker.execute { if (exchange === started) onReply(started, reply) }
        }
    }

    private fun nextBatch(): OutgoingBatch? {
        pending?.takeIf { queue.beginsWith(it.messageIds) }?.let { return it }
        val events = queue.head(OutgoingBatch.limit(state.maxEvents))
        return if (events.isEmpty()) null else OutgoingBatch(ids.next(), events)
    }

    private fun onReply(
        ended: Exchange,
        reply: TransportReply,
    ) {
        exchange = null
        queue.release()
        val answered = reply as? TransportReply.Answered
        val receipt = answered?.body?.let(BatchReceipt::read)
        val classification = classify(reply, receipt)
        // What a former endpoint refused says nothing about this one.
        if (classification == ResponseClassification.DELIVERED || ended.endpoint == endpoint) {
            val asked = answered?.let { RetryAfter.millis(it, parts.clock.wallMillis()) }
            turn(retry.next(state, classification, ended.batch.events.size, asked))
            follow(ended.batch, classification, reply, receipt)
        }
        step()
    }

    private fun turn(next: RetryState) {
        if (next.failures != state.failures) file.disk?.let { retryFile.save(it, next) }
        state = next
        notBefore = parts.clock.elapsedMillis() + next.waitMillis
    }

    private fun follow(
        batch: OutgoingBatch,
        classification: ResponseClassification,
        reply: TransportReply,
        receipt: BatchReceipt?,
    ) {
        if (classification == ResponseClassification.DELIVERED) return onDelivered(batch, receipt)
        words.failed(classification, reply, state, batch.events.size)
        if (classification != ResponseClassification.TOO_LARGE) return
        pending = null
        if (batch.events.size == 1) giveUp(batch, (reply as? TransportReply.Answered)?.status)
    }

    /** The service has the batch, save what the receipt rejects. */
    private fun onDelivered(
        batch: OutgoingBatch,
        receipt: BatchReceipt?,
    ) {
        pending = null
        val rejected = receipt?.rejected.orEmpty().filter { it.index in batch.events.indices }
        val rejectedAt = HashSet<Int>()
        for (event in rejected) rejectedAt += event.index
        queue.removeFirst(batch.events.size)
        for (index in batch.events.indices) {
            onState(batch.messageIds[index], if (index in rejectedAt) ReportState.FAILED else ReportState.SENT)
        }
        receipt?.let { sampling.learn(it.samplingRate) }
        words.delivered(batch.events.size, receipt, rejected)
        drops.count(DropReason.REJECTED, rejectedAt.size)
    }

    /** The only event of the batch can't be delivered. */
    private fun giveUp(
        batch: OutgoingBatch,
        status: Int?,
    ) {
        queue.removeFirst(1)
        onState(batch.messageIds[0], ReportState.FAILED)
        drops.count(if (status == CONTENT_TOO_LARGE) DropReason.TOO_LARGE else DropReason.REJECTED, 1)
    }

    private fun end(running: Exchange) {
        running.deadline = null
        parts.transport.abort(running.request)
    }

    private class Exchange(
        val batch: OutgoingBatch,
        val endpoint: Endpoint,
        val request: TransportRequest,
        /** When it has to be over, by the elapsed clock; null once it was told to end. */
        var deadline: Long?,
    )

    private companion object {
        const val CONTENT_TOO_LARGE = 413

        /** A server that answers drop by drop must not keep the thread for ever. */
        const val MAX_EXCHANGE_MILLIS = 30_000L
    }
}
