package app.service.inspector.delivery

import app.service.inspector.wire.InspectorContract

/** Sends one batch at a time, and decides with [Retry] what follows from the reply. Only the worker uses it. */
internal class Dispatch(
    private val sender: Sender,
    private val parts: DeliveryParts,
    private val file: QueueFile,
    private val queue: EventQueue,
    private val outcome: DeliveryOutcome,
    private val step: () -> Unit,
) {
    private val retry = Retry(parts.random)
    private val retryFile = RetryFile(parts.clock)
    private val ids = MessageIds(parts.clock, parts.random)
    private val words = DispatchLog(parts.log)
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

    /** Goes on where an earlier process stopped. */
    fun resume(batch: JournalEntry.Batched?) {
        if (state.failures == 0) file.disk?.let { state = retryFile.load(it) }
        notBefore = parts.clock.elapsedMillis() + state.waitMillis
        if (batch == null || batch.messageIds.isEmpty() || !queue.beginsWith(batch.messageIds)) return
        var left = batch.messageIds.size
        pending = OutgoingBatch(batch.batchId, queue.head { left-- > 0 })
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
        val now = parts.clock.elapsedMillis()
        if (nextAt(dueAt).let { it == null || it > now }) return
        val running = exchange
        if (running == null) send(endpoint ?: return, now) else end(running)
    }

    /** Forgets the batch that is being sent, and the reply to it. */
    fun cancel() {
        exchange?.let(::end)
        exchange = null
        pending = null
        queue.release()
    }

    private fun send(
        to: Endpoint,
        now: Long,
    ) {
        val batch = nextBatch() ?: return
        pending = batch
        val request = TransportRequest(to.url, headers(), batch.body(sender, outcome.samplingRate, parts.clock.wallMillis()))
        val started = Exchange(batch, to, request, now + MAX_EXCHANGE_MILLIS)
        exchange = started
        queue.hold(JournalEntry.Batched(batch.batchId, batch.messageIds))
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

    private fun headers() =
        mapOf(
            InspectorContract.API_KEY_HEADER to sender.apiKey,
            "Content-Type" to "application/json",
            "Accept" to "application/json",
            "User-Agent" to "${InspectorContract.LIBRARY_NAME}/${InspectorContract.LIBRARY_VERSION}",
        )

    private fun onReply(
        ended: Exchange,
        reply: TransportReply,
    ) {
        exchange = null
        queue.release()
        val verdict = Verdict.of(reply, parts.clock.wallMillis())
        // What a former endpoint refused says nothing about this one.
        if (verdict is Verdict.Taken || ended.endpoint == endpoint) follow(ended.batch, verdict)
        step()
    }

    private fun follow(
        batch: OutgoingBatch,
        verdict: Verdict,
    ) {
        val next = retry.next(state, verdict, batch.events.size)
        if (next.state.failures != state.failures) file.disk?.let { retryFile.save(it, next.state) }
        state = next.state
        notBefore = parts.clock.elapsedMillis() + state.waitMillis
        if (next.action != RetryAction.KEEP) pending = null
        words.explain(verdict, next, batch.events.size)
        when (next.action) {
            RetryAction.FORGET -> outcome.delivered(batch, (verdict as Verdict.Taken).receipt)
            RetryAction.DROP -> outcome.undeliverable(batch, (verdict as Verdict.TooMuch).status)
            RetryAction.KEEP, RetryAction.SPLIT -> Unit
        }
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
        /** A server that answers drop by drop must not keep the thread for ever. */
        const val MAX_EXCHANGE_MILLIS = 30_000L
    }
}
