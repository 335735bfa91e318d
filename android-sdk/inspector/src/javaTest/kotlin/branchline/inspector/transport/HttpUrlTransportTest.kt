package branchline.inspector.transport

import branchline.inspector.support.ScriptedServer
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import java.io.OutputStream
import java.net.ServerSocket
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

class HttpUrlTransportTest {
    private val servers = ArrayList<ScriptedServer>()
    private val transport = HttpUrlTransport()

    @After
    fun close() = servers.forEach { it.close() }

    @Test
    fun `it posts the body with its headers`() {
        val server = serving(ScriptedServer.response("200 OK", "receipt", "Retry-After: 7", "Date: Fri, 02 Jan 2026 03:04:05 GMT"))
        val reply = send(server, "{}")
        assertEquals(
            listOf("200", "7", "Fri, 02 Jan 2026 03:04:05 GMT", "receipt"),
            listOf("${reply.status}", reply.retryAfter, reply.date, reply.body),
        )
        val request = server.requests.single()
        assertEquals("POST /inspector/batches/v1 HTTP/1.1", request.line)
        assertEquals(
            listOf("canary-key", "application/json", "application/json", null, "{}"),
            listOf("api-key", "content-type", "accept", "content-encoding").map(request.headers::get) + request.body,
        )
    }

    @Test
    fun `a body that is worth it is zipped`() {
        val server = serving(ScriptedServer.response("204 No Content"))
        val body = "{\"a\":1}".repeat(1_000)
        send(server, body)
        assertEquals("gzip", server.requests.single().headers["content-encoding"])
        assertEquals(body, server.requests.single().body)
        assertTrue(
            server.requests
                .single()
                .rawBody.size < 500,
        )
    }

    @Test
    fun `it reports each status, also where the platform would act by itself`() {
        for (status in listOf(204, 400, 401, 403, 404, 407, 408, 413, 429, 500, 503)) {
            val server = serving(ScriptedServer.response("$status Status", "{}", "WWW-Authenticate: Basic realm=\"a\""))
            val reply = send(server)
            assertEquals(reply.failure, status, reply.status)
            assertEquals(1, server.requests.size)
        }
    }

    @Test
    fun `a redirect is not followed, so the key stays here`() {
        val elsewhere = serving(ScriptedServer.response("200 OK"))
        for (status in listOf(301, 302, 303, 307, 308)) {
            val server = serving(ScriptedServer.response("$status Moved", "", "Location: ${elsewhere.url}/inspector/batches/v1"))
            assertEquals(status, send(server).status)
        }
        assertTrue(elsewhere.requests.isEmpty())
    }

    @Test
    fun `an answer that is cut at any byte is a failure`() {
        val whole = ScriptedServer.response("200 OK", "{\"accepted\":1}")
        val bodyAt = whole.indexOf("{")
        for (length in 0 until whole.length) {
            val reply = send(serving(whole.take(length)))
            // Without its last headers an answer is still one, but it has no body that could be taken for a receipt.
            val isNoReceipt = reply.failure != null || (length < bodyAt && reply.body == "")
            assertTrue("cut at $length", isNoReceipt)
        }
    }

    @Test
    fun `a chunked answer that is cut is a failure`() {
        val server = serving("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n8\r\nwor")
        assertNotNull(send(server).failure)
    }

    @Test
    fun `an answer that is too large is not read`() {
        val declared = serving("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nabc")
        assertNull(send(declared).body)
        val endless =
            serving { out ->
                out.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".toByteArray())
                while (true) out.write(ByteArray(65_536))
            }
        assertNull(send(endless).body)
    }

    @Test
    fun `what is not HTTP is a failure`() {
        assertNotNull(send(serving("SSH-2.0-OpenSSH_9.2\r\n")).failure)
    }

    @Test
    fun `nobody at the other end is a failure`() {
        val port = ServerSocket(0).use { it.localPort }
        assertNotNull(transport.send(request("http://127.0.0.1:$port/")).failure)
    }

    @Test(timeout = 300_000)
    fun `a server that says nothing is left after a while`() {
        lateinit var server: ScriptedServer
        server = ScriptedServer { _, _ -> server.hang() }.also(servers::add)
        assertNotNull(HttpUrlTransport(timeoutMillis = 50).send(request(server.url)).failure)
    }

    @Test(timeout = 300_000)
    fun `a server that drips is left when told to, before and within the body`() {
        for (head in listOf("HTTP/1.1 200 OK\r\nX-Drip: ", "HTTP/1.1 200 OK\r\n\r\n")) {
            val dripping = CountDownLatch(1)
            val server =
                serving { out ->
                    out.write(head.toByteArray())
                    while (true) {
                        out.write('x'.code)
                        out.flush()
                        dripping.countDown()
                    }
                }
            val transport = HttpUrlTransport()
            val ended = CountDownLatch(1)
            var reply: TransportReply? = null
            val request = request(server.url)
            thread {
                reply = transport.send(request)
                ended.countDown()
            }
            dripping.await()
            transport.abort(request)
            assertTrue(ended.await(120, TimeUnit.SECONDS))
            assertNotNull(reply?.failure)
        }
    }

    @Test
    fun `a request that was told to end before it began is not sent, and others are`() {
        val server = serving(ScriptedServer.response("204 No Content"))
        val late = request(server.url)
        transport.abort(late)
        assertNotNull(transport.send(late).failure)
        assertTrue(server.requests.isEmpty())
        assertEquals(204, send(server).status)
    }

    @Test
    fun `a key that no header can hold is a failure that does not repeat it`() {
        val server = serving(ScriptedServer.response("204 No Content"))
        val request = TransportRequest(server.url, "canary\nkey", ByteArray(0))
        assertEquals("IllegalArgumentException", transport.send(request).failure)
    }

    @Test
    fun `where the platform refuses http, the reason names the fix`() {
        val gone = ScriptedServer.answering("").also { it.close() }
        val address = "${gone.url}/inspector/batches/v1"
        val refusing =
            object : HttpUrlTransport() {
                override fun isCleartextRefused(host: String) = host == "127.0.0.1" || host == "localhost"
            }
        val failure = refusing.send(request(address)).failure.orEmpty()
        assertTrue(failure, failure.startsWith("Android refuses http to ") && "usesCleartextTraffic" in failure)
        assertEquals("ConnectException", transport.send(request(address)).failure)
    }

    private fun serving(text: String) = ScriptedServer.answering(text).also(servers::add)

    private fun serving(answer: (OutputStream) -> Unit) = ScriptedServer { _, out -> answer(out) }.also(servers::add)

    private fun send(
        server: ScriptedServer,
        body: String = "{}",
    ) = transport.send(request("${server.url}/inspector/batches/v1", body))

    private fun request(
        url: String,
        body: String = "{}",
    ) = TransportRequest(url, "canary-key", body.encodeToByteArray())
}
