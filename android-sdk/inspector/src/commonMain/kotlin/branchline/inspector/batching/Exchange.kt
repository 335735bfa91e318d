package branchline.inspector.batching

import branchline.inspector.platform.Task
import branchline.inspector.transport.Transport
import branchline.inspector.transport.TransportReply
import branchline.inspector.transport.TransportRequest
import kotlin.concurrent.Volatile

/** One batch on its way to the service and back: what the network's worker does. */
internal class Exchange(
    val batch: OutgoingBatch,
    val request: TransportRequest,
    private val transport: Transport,
    private val delivery: Delivery,
) : Task {
    /** Null until the exchange is over. */
    @Volatile
    var reply: TransportReply? = null
        private set

    override fun run() {
        reply = transport.send(request)
        delivery.wake()
    }
}
