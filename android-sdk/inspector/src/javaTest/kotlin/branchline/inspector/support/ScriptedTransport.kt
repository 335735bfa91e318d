package branchline.inspector.support

import branchline.inspector.transport.Transport
import branchline.inspector.transport.TransportReply
import branchline.inspector.transport.TransportRequest

/** A service that answers as the test says, and remembers what it was sent. */
internal class ScriptedTransport(
    var answer: (SentBatch) -> TransportReply = { it.receipt() },
) : Transport {
    val batches = ArrayList<SentBatch>()
    var aborted = 0

    override fun send(request: TransportRequest): TransportReply {
        val batch = SentBatch(request)
        batches += batch
        return answer(batch)
    }

    override fun abort(request: TransportRequest) {
        aborted++
    }

    /** The ids of all events of all batches, in the order in which they came. */
    val messageIds: List<String> get() = batches.flatMap { it.messageIds }
}

/** A batch as it was sent. */
internal class SentBatch(
    val request: TransportRequest,
) {
    val text = request.body.decodeToString()
    val batchId: String = ids("batchId").single()
    val messageIds: List<String> = ids("messageId")
    val eventNames: List<String> = strings("eventName")

    /** Of the events that were sent by them, not by schemas. */
    val shapeIds: List<String> = strings("shapeId")
    val appVersion: String = Regex("\"app\":\\{[^}]*\"version\":\"([^\"]*)\"").find(text)!!.groupValues[1]

    fun receipt(
        rejected: Map<Int, String> = emptyMap(),
        samplingRate: Double = 1.0,
        /** Left out by a server that takes no ids. */
        unknownShapeIds: List<String>? = null,
    ): TransportReply {
        val refused = rejected.map { (index, reason) -> "{\"index\":$index,\"messageId\":\"${messageIds[index]}\",\"reason\":\"$reason\"}" }
        val accepted = messageIds.size - rejected.size
        val unknown = unknownShapeIds?.joinToString(",", ",\"unknownShapeIds\":[", "]") { "\"$it\"" }.orEmpty()
        val body =
            "{\"accepted\":$accepted,\"duplicates\":0,\"rejected\":[${refused.joinToString(",")}],\"samplingRate\":$samplingRate$unknown}"
        return TransportReply(200, body = body)
    }

    private fun ids(field: String) = strings(field)

    private fun strings(field: String) = Regex("\"$field\":\"([^\"]*)\"").findAll(text).map { it.groupValues[1] }.toList()
}
