package branchline.inspector.transport

/** Carries one request to the service. It judges nothing: not the status, not the body. */
internal interface Transport {
    /** Blocks until the exchange is over. Never throws. */
    fun send(request: TransportRequest): TransportReply

    /** Ends the exchange of a request from another thread, also before it began; [send] then answers a [TransportReply.failure]. */
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
internal class TransportReply(
    /** [NONE] where there was no answer, or only a part of one. */
    val status: Int,
    /** Null when it was larger than is read. */
    val body: String? = "",
    /** As the server wrote it. */
    val retryAfter: String? = null,
    /** The `Date` header: the time by the server's clock. */
    val date: String? = null,
    /** Why there was no answer, for the log; holds neither key nor values. */
    val failure: String? = null,
) {
    internal companion object {
        /** Stands for the status where there is none. */
        const val NONE: Int = 0
    }
}
