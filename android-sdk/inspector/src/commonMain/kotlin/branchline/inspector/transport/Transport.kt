package branchline.inspector.transport

/** Carries one request to the service. It judges nothing: not the status, not the body. */
internal interface Transport {
    /** Blocks until the exchange is over. Never throws. */
    fun send(request: TransportRequest): TransportReply

    /** Ends the exchange of a request from another thread, also before it began; [send] then answers [TransportReply.Failed]. */
    fun abort(request: TransportRequest)
}

/** A POST of JSON. */
internal class TransportRequest(
    val url: String,
    /** Sent in a header; never logged. */
    val apiKey: String,
    /** Not yet compressed. */
    val body: ByteArray,
)

/** What became of a request. */
internal sealed class TransportReply {
    /** The server answered. */
    class Answered(
        val status: Int,
        /** As the server wrote it. */
        val retryAfter: String? = null,
        /** The `Date` header: the time by the server's clock. */
        val date: String? = null,
        /** Null when it was larger than is read. */
        val body: String? = "",
    ) : TransportReply()

    /** No answer, or only a part of one. */
    class Failed(
        /** Why, for the log; holds neither key nor values. */
        val reason: String,
    ) : TransportReply()
}
