package branchline.inspector.support

import java.io.Closeable
import java.io.InputStream
import java.io.OutputStream
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CountDownLatch
import java.util.zip.GZIPInputStream
import kotlin.concurrent.thread

/** A server on this machine that reads requests as they come, and answers with the bytes that the test gives. */
internal class ScriptedServer(
    private val answer: (ReceivedRequest, OutputStream) -> Unit,
) : Closeable {
    private val socket = ServerSocket(0, 50, InetAddress.getLoopbackAddress())
    private val closed = CountDownLatch(1)
    val requests = CopyOnWriteArrayList<ReceivedRequest>()
    val port: Int get() = socket.localPort
    val url: String get() = "http://127.0.0.1:$port"

    init {
        thread(isDaemon = true) {
            while (closed.count > 0) {
                val connection = runCatching { socket.accept() }.getOrNull() ?: break
                thread(isDaemon = true) { runCatching { connection.use(::serve) } }
            }
        }
    }

    /** Waits until the server is closed. */
    fun hang() = closed.await()

    override fun close() {
        closed.countDown()
        socket.close()
    }

    private fun serve(connection: Socket) {
        val request = ReceivedRequest.read(connection.getInputStream())
        requests += request
        answer(request, connection.getOutputStream())
        connection.getOutputStream().flush()
    }

    internal companion object {
        fun answering(text: String): ScriptedServer = ScriptedServer { _, out -> out.write(text.toByteArray()) }

        /** A whole answer. */
        fun response(
            status: String,
            body: String = "",
            vararg headers: String,
        ): String =
            (listOf("HTTP/1.1 $status", "Content-Length: ${body.toByteArray().size}") + headers).joinToString("\r\n") + "\r\n\r\n$body"
    }
}

/** A request as it came over the wire. */
internal class ReceivedRequest(
    val line: String,
    /** By lower-case name. */
    val headers: Map<String, String>,
    val rawBody: ByteArray,
) {
    val body: String
        get() =
            (
                if (headers["content-encoding"] ==
                    "gzip"
                ) {
                    GZIPInputStream(rawBody.inputStream()).readBytes()
                } else {
                    rawBody
                }
            ).decodeToString()

    internal companion object {
        fun read(input: InputStream): ReceivedRequest {
            val lines = generateSequence { line(input) }.takeWhile { it.isNotEmpty() }.toList()
            val headers = lines.drop(1).associate { it.substringBefore(":").lowercase() to it.substringAfter(":").trim() }
            return ReceivedRequest(lines[0], headers, input.readNBytes(headers["content-length"]?.toInt() ?: 0))
        }

        private fun line(input: InputStream) =
            generateSequence { input.read().takeIf { it >= 0 && it != '\n'.code } }.map { it.toChar() }.joinToString("").trimEnd('\r')
    }
}
