package branchline.inspector.batching

import branchline.inspector.platform.NEVER
import branchline.inspector.queue.DropCounter
import branchline.inspector.queue.DropReason
import branchline.inspector.queue.EventQueue
import branchline.inspector.queue.MessageIds
import branchline.inspector.queue.QueueFile
import branchline.inspector.queue.QueuedEvent
import branchline.inspector.queue.ReportState
import branchline.inspector.retry.Meaning
import branchline.inspector.retry.Retry
import branchline.inspector.retry.RetryAfter
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
    private val delivery: Delivery,
) {
    private val retry = Retry(parts.random, parts.clock)
    private val ids = MessageIds(parts.clock, parts.random)
    private val words = UploadLog(parts.log)

    /** The ids of shapes that the service has by its receipts. */
    private val knownShapes = HashSet<String>()
    private var endpoint: String? = null
    private var endpointText: String? = null
    private var notBefore = Long.MIN_VALUE

    /** Formed, but not delivered: sent again as it is while its events are still the oldest. */
    private var pending: OutgoingBatch? = null
    private var exchange: Exchange? = null

    /** When the exchange has to be over, by the elapsed clock; never once it was told to end. */
    private var deadline = NEVER

    /** Another endpoint may take what the last one refused. */
    fun useEndpoint(text: String?) {
        if (text == endpointText) return
        endpointText = text
        endpoint = if (text == null) null else Endpoint.parse(text)
        if (text != null && endpoint == null) words.unfitEndpoint()
        knownShapes.clear()
        retry.reset()
        notBefore = Long.MIN_VALUE
    }

    /** Goes on where an earlier process stopped; [batch] is the id of a batch, and those of its events. */
    fun resume(batch: List<String>) {
        val disk = file.disk
        if (retry.failures == 0 && disk != null) retry.load(disk)
        notBefore = parts.clock.elapsedMillis() + retry.waitMillis
        if (queue.beginsWith(batch)) pending = OutgoingBatch(batch[0], queue.head(batch.size - 1))
    }

    /** When [run] wants to be called, by the elapsed clock; never when only a reply or another event changes anything. */
    fun nextAt(dueAt: Long): Long {
        if (exchange != null) return deadline
        if (endpoint == null || retry.isStopped) return NEVER
        return maxOf(if (pending == null) dueAt else Long.MIN_VALUE, notBefore)
    }

    /** Whether [run] has something to do. */
    fun isDue(dueAt: Long): Boolean = nextAt(dueAt) <= parts.clock.elapsedMillis()

    /** Sends a batch, if it is time; ends an exchange that takes too long. */
    fun run(dueAt: Long) {
        if (dueAt != NEVER && endpointText == null) words.noEndpoint()
        if (!isDue(dueAt)) return
        if (exchange == null) send(endpoint ?: return) else end()
    }

    /** Forgets the batch that is being sent, and the reply to it. */
    fun cancel() {
        end()
        exchange = null
        pending = null
        queue.release()
    }

    private fun send(to: String) {
        val batch = nextBatch() ?: return
        pending = batch
        val request = TransportRequest(to, sender.apiKey, batch.body(sender, knownShapes, sampling.rate, parts.clock.wallMillis()))
        val started = Exchange(batch, request, parts.transport, delivery)
        exchange = started
        deadline = parts.clock.elapsedMillis() + MAX_EXCHANGE_MILLIS
        queue.hold(batch.batchId, batch.events.size)
        parts.networkWorker.execute(started)
    }

    private fun nextBatch(): OutgoingBatch? {
        val left = pending
        if (left != null && queue.holds(left.events)) return left
        val count = OutgoingBatch.count(queue, retry.maxEvents)
        return if (count == 0) null else OutgoingBatch(ids.next(), queue.head(count))
    }

    /** Decides what follows from the reply, if there is one. */
    fun takeReply() {
        val ended = exchange ?: return
        val reply = ended.reply ?: return
        exchange = null
        queue.release()
        val receipt = reply.body?.let(BatchReceipt::read)
        val meaning = Meaning.of(reply, receipt)
        // What a former endpoint refused says nothing about this one.
        if (meaning != Meaning.DELIVERED && ended.request.url != endpoint) return
        val failures = retry.failures
        retry.onReply(meaning, ended.batch.events.size, RetryAfter.millis(reply, parts.clock.wallMillis()))
        val disk = file.disk
        if (retry.failures != failures && disk != null) retry.save(disk)
        notBefore = parts.clock.elapsedMillis() + retry.waitMillis
        follow(ended.batch, meaning, reply, receipt)
    }

    private fun follow(
        batch: OutgoingBatch,
        meaning: Int,
        reply: TransportReply,
        receipt: BatchReceipt?,
    ) {
        if (meaning == Meaning.DELIVERED) return onDelivered(batch, receipt)
        words.failed(meaning, reply, retry.waitMillis, batch.events.size)
        if (meaning != Meaning.TOO_LARGE) return
        pending = null
        if (batch.events.size > 1) return
        // The only event of the batch can't be delivered.
        queue.removeFirst(1)
        delivery.onState(batch.events[0].messageId, ReportState.FAILED)
        drops.count(if (reply.status == CONTENT_TOO_LARGE) DropReason.TOO_LARGE else DropReason.REJECTED, 1)
    }

    /** The service has the batch, save what the receipt rejects, and those events of which it asks for the schemas. */
    private fun onDelivered(
        batch: OutgoingBatch,
        receipt: BatchReceipt?,
    ) {
        pending = null
        val rejected = HashSet<Int>()
        if (receipt != null) {
            for (event in receipt.rejected) if (event.index in batch.events.indices) rejected.add(event.index)
            sampling.learn(receipt.samplingRate)
        }
        val asked = learnShapes(batch, rejected, receipt?.unknownShapeIds)
        queue.removeFirst(batch.events.size, asked)
        for (index in batch.events.indices) {
            if (batch.events[index] in asked) {
                rejected.remove(index)
            } else {
                delivery.onState(batch.events[index].messageId, if (index in rejected) ReportState.FAILED else ReportState.SENT)
            }
        }
        words.delivered(batch.events.size, receipt)
        drops.count(DropReason.REJECTED, rejected.size)
    }

    /** What is to be sent again, with its schema. Without [unknown] the server takes no ids. */
    private fun learnShapes(
        batch: OutgoingBatch,
        rejected: Set<Int>,
        unknown: List<String>?,
    ): Set<QueuedEvent> {
        if (unknown == null || knownShapes.size > MAX_KNOWN_SHAPES) knownShapes.clear()
        if (unknown == null) return batch.sentById
        val asked = HashSet<QueuedEvent>()
        for (index in batch.events.indices) {
            val event = batch.events[index]
            val id = event.shapeId
            if (id in unknown && event in batch.sentById) asked.add(event)
            if (id in unknown || index in rejected) knownShapes.remove(id) else knownShapes.add(id)
        }
        return asked
    }

    private fun end() {
        deadline = NEVER
        exchange?.let { parts.transport.abort(it.request) }
    }

    private companion object {
        const val CONTENT_TOO_LARGE = 413

        /** More than an app has; when there are more, all are learnt anew. A batch may bring 1,000 others. */
        const val MAX_KNOWN_SHAPES = 1_000

        /** A server that answers drop by drop must not keep the thread for ever. */
        const val MAX_EXCHANGE_MILLIS = 30_000L
    }
}
