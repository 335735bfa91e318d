package branchline.inspector.support

import java.io.Closeable
import java.net.InetAddress
import java.net.ServerSocket
import java.net.Socket
import java.util.concurrent.LinkedBlockingQueue
import kotlin.concurrent.thread

/** A server that is not available, and says so. */
internal class RefusingServer : Closeable {
    private val socket = ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))
    private val requests = LinkedBlockingQueue<String>()
    val url: String = "http://127.0.0.1:${socket.localPort}"

    init {
        thread(isDaemon = true) {
            while (!socket.isClosed) runCatching { socket.accept().use(::refuse) }
        }
    }

    fun awaitRequest(): String = requests.take()

    fun hasRequest(): Boolean = requests.isNotEmpty()

    override fun close() = socket.close()

    private fun refuse(connection: Socket) {
        requests += connection.getInputStream().bufferedReader().readLine()
        connection.getOutputStream().write("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n".toByteArray())
    }
}
