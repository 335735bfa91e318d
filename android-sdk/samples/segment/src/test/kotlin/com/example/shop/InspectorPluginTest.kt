package com.example.shop

import app.service.inspector.JvmApplication
import app.service.inspector.ServiceInspector
import app.service.inspector.ServiceInspectorEnv
import com.segment.analytics.kotlin.core.Analytics
import com.segment.analytics.kotlin.core.BaseEvent
import com.segment.analytics.kotlin.core.Configuration
import com.segment.analytics.kotlin.core.Telemetry
import com.segment.analytics.kotlin.core.TrackEvent
import com.segment.analytics.kotlin.core.platform.EventPlugin
import com.segment.analytics.kotlin.core.platform.Plugin
import com.sun.net.httpserver.HttpServer
import kotlinx.serialization.json.add
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonArray
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.net.InetSocketAddress
import java.util.concurrent.LinkedBlockingQueue
import java.util.zip.GZIPInputStream

/** The sample in the real Segment SDK; only the network is this machine's. */
class InspectorPluginTest {
    @get:Rule
    val folder = TemporaryFolder()

    private val batches = LinkedBlockingQueue<String>()
    private val service =
        HttpServer.create(InetSocketAddress("127.0.0.1", 0), 0).apply {
            createContext("/") { exchange ->
                val isZipped = exchange.requestHeaders.getFirst("content-encoding") == "gzip"
                val body =
                    exchange.requestBody
                        .let { if (isZipped) GZIPInputStream(it) else it }
                        .readBytes()
                        .decodeToString()
                val receipt = """{"accepted":1,"duplicates":0,"rejected":[],"samplingRate":1}""".toByteArray()
                exchange.sendResponseHeaders(200, receipt.size.toLong())
                exchange.responseBody.use { it.write(receipt) }
                batches += body
            }
            start()
        }

    @After
    fun stop() = service.stop(0)

    @Test(timeout = 300_000)
    fun `an event that is tracked with Segment is reported, and goes on through its chain unchanged`() {
        ServiceInspector.setEndpoint("http://127.0.0.1:${service.address.port}")
        val application = JvmApplication("com.example.shop", "Shop", "1.0", folder.root)
        val inspector = ServiceInspector("key", application, ServiceInspectorEnv.Dev)
        val arrived = LinkedBlockingQueue<TrackEvent>()
        // It would tell Segment itself of what fails here.
        Telemetry.enable = false
        val segment =
            Analytics(
                Configuration(
                    "write-key",
                    application = "shop",
                    autoAddSegmentDestination = false,
                    apiHost = "127.0.0.1:9",
                    cdnHost = "127.0.0.1:9",
                ),
            )
        segment.add(InspectorPlugin(inspector))
        segment.add(EndOfChain(arrived))
        val properties =
            buildJsonObject {
                put("sku", "canary-4711")
                put("price", 19.5)
                put("quantity", 2)
                put("gift", false)
                putJsonArray("tags") { add("a") }
            }
        segment.track("Product Added", properties)

        assertEquals(properties, arrived.take().properties)
        val batch = batches.take()
        val schema =
            """[{"name":"gift","type":"boolean"},{"name":"price","type":"float"},{"name":"quantity","type":"int"},""" +
                """{"name":"sku","type":"string"},{"name":"tags","type":"list","items":[{"type":"string"}]}]"""
        assertTrue(batch, batch.contains("\"eventName\":\"Product Added\"") && batch.contains(schema))
        assertTrue("no value leaves", !batch.contains("canary-4711"))
    }

    private class EndOfChain(
        private val arrived: LinkedBlockingQueue<TrackEvent>,
    ) : EventPlugin {
        override val type = Plugin.Type.After
        override lateinit var analytics: Analytics

        override fun track(payload: TrackEvent): BaseEvent {
            arrived += payload
            return payload
        }
    }
}
