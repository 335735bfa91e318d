package branchline.inspector.transport

import branchline.inspector.platform.decodeUtf8
import branchline.inspector.platform.numberOf
import branchline.inspector.wire.InspectorContract
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.net.HttpRetryException
import java.net.HttpURLConnection
import java.net.URL
import java.util.zip.GZIPOutputStream
import kotlin.concurrent.Volatile

/** A transport over the HTTP client of the platform. It follows no redirect: the key must not come to another host. */
internal open class HttpUrlTransport(
    private val timeoutMillis: Int = TIMEOUT_MILLIS,
) : Transport {
    /** The request under way, and its connection once there is one. */
    @Volatile
    private var running: TransportRequest? = null

    @Volatile
    private var connection: HttpURLConnection? = null

    /** The last request that was told to end. */
    @Volatile
    private var aborted: TransportRequest? = null

    /** Whatever the platform throws, its message is not repeated: it may hold the key. */
    @Suppress("TooGenericExceptionCaught")
    override fun send(request: TransportRequest): TransportReply {
        running = request
        return try {
            exchange(request)
        } catch (failure: SecurityException) {
            failed("the app may not use the network; it needs the permission INTERNET (${failure.javaClass.simpleName})")
        } catch (failure: Exception) {
            failed(explainCleartext() ?: failure.javaClass.simpleName)
        } finally {
            running = null
            connection?.disconnect()
            connection = null
        }
    }

    /** [send] writes and reads these in the other order, so one of both threads sees what the other did. */
    override fun abort(request: TransportRequest) {
        aborted = request
        if (running === request) connection?.disconnect()
    }

    /** Whether the platform lets the app send nothing to this host unless it is encrypted. */
    protected open fun isCleartextRefused(host: String): Boolean = refusesCleartext(host)

    /** Null where Android allows the app to use this address. */
    private fun explainCleartext(): String? {
        val url = connection?.url
        if (url == null || url.protocol != "http" || !isCleartextRefused(url.host)) return null
        return "Android refuses http to ${url.host}; for builds that need it, set android:usesCleartextTraffic=\"true\" on the " +
            "application in the manifest, or name the host in a network security configuration"
    }

    private fun exchange(request: TransportRequest): TransportReply {
        val opened = URL(request.url).openConnection() as HttpURLConnection
        connection = opened
        failIfAborted(request)
        opened.instanceFollowRedirects = false
        opened.useCaches = false
        opened.connectTimeout = timeoutMillis
        opened.readTimeout = timeoutMillis
        opened.requestMethod = "POST"
        opened.doOutput = true
        opened.setRequestProperty("Accept-Encoding", "identity")
        opened.setRequestProperty("Content-Type", "application/json")
        opened.setRequestProperty("Accept", "application/json")
        opened.setRequestProperty("User-Agent", InspectorContract.LIBRARY_NAME + "/" + InspectorContract.LIBRARY_VERSION)
        opened.setRequestProperty(InspectorContract.API_KEY_HEADER, request.apiKey)
        var body = request.body
        if (body.size >= WORTH_ZIPPING) {
            opened.setRequestProperty("Content-Encoding", "gzip")
            body = zipped(body)
        }
        // Streaming keeps the platform from sending it a second time by itself.
        opened.setFixedLengthStreamingMode(body.size)
        val stream = opened.outputStream
        stream.write(body)
        stream.close()
        failIfAborted(request)
        return read(opened, request)
    }

    private fun read(
        from: HttpURLConnection,
        request: TransportRequest,
    ): TransportReply {
        val status =
            try {
                from.responseCode
            } catch (challenge: HttpRetryException) {
                // In streaming mode the JDK reports a 401 or a redirect this way.
                challenge.responseCode()
            }
        if (status < 0) return failed("the answer is not HTTP")
        return TransportReply(
            status,
            if (status in OK..LAST_WITH_RECEIPT) readBody(from, request) else "",
            from.getHeaderField("Retry-After"),
            from.getHeaderField("Date"),
        )
    }

    /** Null when it is larger than is read. [send] disconnects, which closes the stream. */
    private fun readBody(
        from: HttpURLConnection,
        request: TransportRequest,
    ): String? {
        val declared = numberOf(from.getHeaderField("Content-Length").orEmpty(), 0)
        if (declared > MAX_REPLY_BYTES) return null
        val bytes = ByteArrayOutputStream()
        val buffer = ByteArray(BUFFER_BYTES)
        val stream = from.inputStream
        while (true) {
            failIfAborted(request)
            val count = stream.read(buffer)
            if (count < 0) break
            bytes.write(buffer, 0, count)
            if (bytes.size() > MAX_REPLY_BYTES) return null
        }
        // The JDK takes a body that was cut short for a whole one.
        if (bytes.size() < declared) throw IOException("The body was cut short.")
        return decodeUtf8(bytes.toByteArray())
    }

    private fun failIfAborted(request: TransportRequest) {
        if (aborted === request) throw IOException("The exchange took too long.")
    }

    private fun zipped(body: ByteArray): ByteArray {
        val bytes = ByteArrayOutputStream()
        val zip = GZIPOutputStream(bytes)
        zip.write(body)
        zip.close()
        return bytes.toByteArray()
    }

    private fun failed(reason: String) = TransportReply(TransportReply.NONE, failure = reason)

    private companion object {
        const val TIMEOUT_MILLIS = 10_000

        /** Below it, gzip saves nothing. */
        const val WORTH_ZIPPING = 1_024
        const val BUFFER_BYTES = 8 * 1_024

        /** The receipt of a full batch of which every event is rejected has less. */
        const val MAX_REPLY_BYTES = 1_024 * 1_024

        /** The successes that have a body; what others say is not needed. */
        const val OK = 200
        const val LAST_WITH_RECEIPT = 203
    }
}
