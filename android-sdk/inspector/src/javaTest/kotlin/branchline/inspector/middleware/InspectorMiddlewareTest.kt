package branchline.inspector.middleware

import app.service.inspector.InspectorMiddleware
import app.service.inspector.JvmApplication
import app.service.inspector.PayloadReader
import app.service.inspector.ServiceInspector
import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.batching.DeliveryProcess
import branchline.inspector.support.ScriptedServer
import branchline.inspector.support.SentBatch
import branchline.inspector.transport.TransportRequest
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertSame
import org.junit.Assert.assertThrows
import org.junit.Before
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.util.concurrent.LinkedBlockingQueue

internal class InspectorMiddlewareTest {
    private class Payload(
        val type: String?,
        val event: String? = null,
        val properties: Any? = null,
    )

    private object Reader : PayloadReader<Payload> {
        override fun typeOf(payload: Payload) = payload.type

        override fun eventNameOf(payload: Payload) = payload.event ?: throw IllegalStateException("no name")

        override fun propertiesOf(payload: Payload) = payload.properties
    }

    @get:Rule
    val folder = TemporaryFolder()

    private val reported = LinkedBlockingQueue<String>()
    private val server =
        ScriptedServer { request, out ->
            val batch = SentBatch(TransportRequest("", "", request.body.encodeToByteArray()))
            reported += batch.eventNames
            out.write(ScriptedServer.response("200 OK", batch.receipt().body.orEmpty()).toByteArray())
        }
    private lateinit var middleware: InspectorMiddleware<Payload>

    @Before
    fun start() {
        ServiceInspector.setEndpoint(server.url)
        val application = JvmApplication("com.example.shop", "Shop", "1.0", folder.root)
        middleware = InspectorMiddleware(ServiceInspector("key", application, ServiceInspectorEnv.Dev), Reader)
    }

    @After
    fun close() {
        DeliveryProcess.reset()
        server.close()
    }

    @Test(timeout = 300_000)
    fun `a tracked payload is reported once, and goes on as the very same`() {
        val payload = Payload("track", "Product Viewed", mapOf("price" to 9.5))
        val continued = ArrayList<Payload>()
        middleware.intercept(payload) { continued += it }
        assertSame(payload, continued.single())
        assertEquals("Product Viewed", reported.take())
        assertEquals(emptyList<String>(), reported.toList())
    }

    @Test(timeout = 300_000)
    fun `payloads of other types go on and are not reported`() {
        val continued = ArrayList<String?>()
        for (type in listOf(
            "identify",
            "screen",
            "",
            null,
            "tracked",
        )) {
            middleware.intercept(Payload(type, "Not me")) { continued += it.type }
        }
        middleware.inspect(Payload("TRACK", "Last"))
        assertEquals(listOf("identify", "screen", "", null, "tracked"), continued)
        assertEquals("Last", reported.take())
    }

    @Test(timeout = 300_000)
    fun `what the reader throws stays here`() {
        var continued = 0
        middleware.intercept(Payload("track")) { continued++ }
        middleware.inspect(Payload("track", "Next"))
        assertEquals(1, continued)
        assertEquals("Next", reported.take())
    }

    @Test
    fun `what the chain throws passes through`() {
        val thrown = IllegalArgumentException("of the SDK")
        assertSame(thrown, assertThrows(IllegalArgumentException::class.java) { middleware.intercept(Payload("screen")) { throw thrown } })
    }
}
