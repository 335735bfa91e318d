package branchline.inspector.transport

import branchline.inspector.retry.Retry
import branchline.inspector.wire.InspectorContract
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.io.InputStream
import java.net.HttpRetryException
import java.net.HttpURLConnection
import java.net.URL
import java.util.zip.GZIPOutputStream
import kotlin.concurrent.Volatile

/** A transport over the HTTP client of the platform. It follows no redirect: the key must not come to another host. */
internal class HttpUrlTransport(
    private val timeoutMillis: Int = TIMEOUT_MILLIS,
    private val isCleartextRefused: (String) -> Boolean = ::refusesCleartext,
) : Transport {
    /** The exchange under way. */
    @Volatile
    private var running: Exchange? = null

    /** The last request that was told to end. */
    @Volatile
    private var aborted: TransportRequest? = null

    /** Whatever the platform throws, its message is not repeated: it may hold the key. */
    @Suppress("TooGenericExceptionCaught")
    override fun send(request: TransportRequest): TransportReply {
        val exchange = Exchange(request)
        // [abort] writes and reads these two in the other order, so one of both threads sees what the other did.
        running = exchange
        if (aborted === request) exchange.abort()
        return try {
            exchange.run(timeoutMillis)
        } catch (failure: SecurityException) {
            TransportReply.Failed("the app may not use the network; it needs the permission INTERNET (${failure.javaClass.simpleName})")
        } catch (failure: Exception) {
            TransportReply.Failed(explainCleartext(exchange.connection?.url) ?: failure.javaClass.simpleName)
        } finally {
            running = null
            exchange.connection?.disconnect()
        }
    }

    override fun abort(request: TransportRequest) {
        aborted = request
        running?.takeIf { it.request === request }?.abort()
    }

    /** Null where Android allows the app to use this address. */
    private fun explainCleartext(url: URL?): String? {
        if (url == null || url.protocol != "http" || !isCleartextRefused(url.host)) return null
        return "Android refuses http to ${url.host}; for builds that need it, set android:usesCleartextTraffic=\"true\" on the " +
            "application in the manifest, or name the host in a network security configuration"
    }

    private class Exchange(
        val request: TransportRequest,
    ) {
        @Volatile
        var connection: HttpURLConnection? = null

        @Volatile
        private var aborted = false

        fun abort() {
            aborted = true
            connection?.disconnect()
        }

        fun run(timeoutMillis: Int): TransportReply {
            failIfAborted()
            val opened = URL(request.url).openConnection() as HttpURLConnection
            connection = opened
            opened.instanceFollowRedirects = false
            opened.useCaches = false
            opened.connectTimeout = timeoutMillis
            opened.readTimeout = timeoutMillis
            opened.requestMethod = "POST"
            opened.doOutput = true
            opened.setRequestProperty("Accept-Encoding", "identity")
            opened.setRequestProperty("Content-Type", "application/json")
            opened.setRequestProperty("Accept", "application/json")
            opened.setRequestProperty("User-Agent", "${InspectorContract.LIBRARY_NAME}/${InspectorContract.LIBRARY_VERSION}")
            opened.setRequestProperty(InspectorContract.API_KEY_HEADER, request.apiKey)
            write(request.body, opened)
            failIfAborted()
            return read(opened)
        }

        /** Streaming keeps the platform from sending it a second time by itself. */
        private fun write(
            body: ByteArray,
            to: HttpURLConnection,
        ) {
            val isWorthZipping = body.size >= WORTH_ZIPPING
            if (isWorthZipping) to.setRequestProperty("Content-Encoding", "gzip")
            val content = if (isWorthZipping) zipped(body) else body
            to.setFixedLengthStreamingMode(content.size)
            to.outputStream.use { it.write(content) }
        }

        private fun read(from: HttpURLConnection): TransportReply {
            val status =
                try {
                    from.responseCode
                } catch (challenge: HttpRetryException) {
                    // In streaming mode the JDK reports a 401 or a redirect this way.
                    challenge.responseCode()
                }
            if (status < 0) return TransportReply.Failed("the answer is not HTTP")
            return TransportReply.Answered(
                status = status,
                retryAfter = from.getHeaderField("Retry-After"),
                date = from.getHeaderField("Date"),
                body = if (status in WITH_RECEIPT) readBody(from) else "",
            )
        }

        /** Null when it is larger than is read. */
        private fun readBody(from: HttpURLConnection): String? {
            val declared = from.getHeaderField("Content-Length")?.toLongOrNull()
            if (declared != null && declared > MAX_REPLY_BYTES) return null
            val bytes = from.inputStream.use(::bounded) ?: return null
            // The JDK takes a body that was cut short for a whole one.
            if (declared != null && bytes.size < declared) throw IOException("The body was cut short.")
            return bytes.decodeToString()
        }

        private fun bounded(stream: InputStream): ByteArray? {
            val bytes = ByteArrayOutputStream()
            val buffer = ByteArray(BUFFER_BYTES)
            while (bytes.size() <= MAX_REPLY_BYTES) {
                failIfAborted()
                val count = stream.read(buffer)
                if (count < 0) return bytes.toByteArray()
                bytes.write(buffer, 0, count)
            }
            return null
        }

        private fun failIfAborted() {
            if (aborted) throw IOException("The exchange took too long.")
        }

        private fun zipped(body: ByteArray): ByteArray {
            val bytes = ByteArrayOutputStream()
            GZIPOutputStream(bytes).use { it.write(body) }
            return bytes.toByteArray()
        }
    }

    private companion object {
        const val TIMEOUT_MILLIS = 10_000

        /** Below it, gzip saves nothing. */
        const val WORTH_ZIPPING = 1_024
        const val BUFFER_BYTES = 8 * 1_024

        /** The receipt of a full batch of which every event is rejected has less. */
        const val MAX_REPLY_BYTES = 1_024 * 1_024

        /** The successes that have a body; what others say is not needed. */
        val WITH_RECEIPT = 200..203
    }
}
