package branchline.inspector.batching

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.queue.ReportState
import branchline.inspector.support.DeliveryBench
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

class BatchingTest {
    @get:Rule
    val folder = TemporaryFolder()

    private val bench by lazy { DeliveryBench(folder.root) }

    @Test
    fun `production and staging send at thirty unsent events, in order`() {
        for (environment in listOf(ServiceInspectorEnv.Prod, ServiceInspectorEnv.Staging)) {
            val bench = DeliveryBench(folder.newFolder(), environment)
            val ids = bench.trackMany(29)
            assertEquals(0, bench.transport.batches.size)
            val last = bench.track()
            assertEquals(
                ids + last,
                bench.transport.batches
                    .single()
                    .messageIds,
            )
        }
    }

    @Test
    fun `production sends thirty seconds after the first unsent event, without another`() {
        bench.track()
        bench.clock.advance(20_000)
        bench.track()
        bench.clock.advance(9_999)
        assertEquals(0, bench.transport.batches.size)
        bench.clock.advance(1)
        assertEquals(
            2,
            bench.transport.batches
                .single()
                .messageIds.size,
        )
    }

    @Test
    fun `the thirty seconds begin anew after each batch`() {
        bench.trackMany(30)
        bench.clock.advance(25_000)
        bench.track()
        bench.clock.advance(29_999)
        assertEquals(1, bench.transport.batches.size)
        bench.clock.advance(1)
        assertEquals(2, bench.transport.batches.size)
    }

    @Test
    fun `development sends each event at once`() {
        val bench = DeliveryBench(folder.root, ServiceInspectorEnv.Dev)
        repeat(3) { bench.track() }
        assertEquals(listOf(1, 1, 1), bench.transport.batches.map { it.messageIds.size })
    }

    @Test
    fun `a setting that was made before holds, also in development`() {
        val bench = DeliveryBench(folder.root, ServiceInspectorEnv.Dev, Settings(5, 60, DeliveryBench.ENDPOINT))
        bench.trackMany(4)
        assertEquals(0, bench.transport.batches.size)
        bench.track()
        assertEquals(
            5,
            bench.transport.batches
                .single()
                .messageIds.size,
        )
    }

    @Test
    fun `a setting that is made later holds at once, for what waits too`() {
        bench.trackMany(12)
        bench.delivery.applySettings(Settings(batchSize = 10, endpoint = DeliveryBench.ENDPOINT))
        bench.clock.settle()
        assertEquals(
            12,
            bench.transport.batches
                .single()
                .messageIds.size,
        )
        bench.delivery.applySettings(Settings(batchSize = 10, batchFlushSeconds = 5, endpoint = DeliveryBench.ENDPOINT))
        bench.track()
        bench.clock.advance(5_000)
        assertEquals(2, bench.transport.batches.size)
    }

    @Test
    fun `leaving the foreground sends what is unsent`() {
        bench.track()
        bench.delivery.onBackground()
        bench.clock.settle()
        assertEquals(1, bench.transport.batches.size)
    }

    @Test
    fun `events that come while a batch is under way are the next batch`() {
        bench.holdsReplies = true
        val first = bench.trackMany(30)
        val second = bench.trackMany(30)
        assertEquals(1, bench.heldReplies.size)
        bench.heldReplies.removeAt(0).run()
        bench.clock.settle()
        bench.heldReplies.removeAt(0).run()
        bench.clock.settle()
        assertEquals(listOf(first, second), bench.transport.batches.map { it.messageIds })
    }

    @Test
    fun `a batch stays below the bytes that the service takes`() {
        val schema = (1..450).associate { "property $it ".padEnd(1_000, 'x') to ServiceEventSchemaType.ServiceInt() }
        val ids = List(4) { bench.track("Large", schema) }
        bench.delivery.flush()
        bench.clock.settle()
        assertEquals(ids, bench.transport.messageIds)
        assertTrue(bench.transport.batches.size > 1)
        bench.transport.batches.forEach { assertTrue("${it.request.body.size}", it.request.body.size <= 1_048_576) }
    }

    @Test
    fun `an event that no batch can hold is given up by itself`() {
        val schema = (1..1_100).associate { "property $it ".padEnd(1_000, 'x') to ServiceEventSchemaType.ServiceInt() }
        val large = bench.track("Too large", schema)
        val small = bench.track()
        bench.clock.advance(30_000)
        assertEquals(listOf(small), bench.transport.messageIds)
        assertEquals(ReportState.FAILED, bench.states[large])
        assertTrue(
            bench.log.warnings
                .single()
                .contains("too large"),
        )
    }

    @Test
    fun `without an endpoint events are kept, one line says what to do, and an endpoint sends them`() {
        val bench = DeliveryBench(folder.root, settings = Settings())
        bench.trackMany(40)
        bench.clock.advance(120_000)
        assertEquals(1, bench.log.warnings.size)
        assertTrue(bench.log.warnings[0].contains("setEndpoint"))
        bench.delivery.applySettings(Settings(endpoint = DeliveryBench.ENDPOINT))
        bench.clock.settle()
        assertEquals(40, bench.transport.messageIds.size)
    }

    @Test
    fun `an endpoint that could be listened to is refused`() {
        val bench = DeliveryBench(folder.root, settings = Settings(endpoint = "http://inspector.example"))
        bench.trackMany(40)
        bench.clock.advance(120_000)
        assertEquals(0, bench.transport.batches.size)
        assertTrue(
            bench.log.warnings
                .single()
                .contains("https://"),
        )
    }

    @Test
    fun `the envelope says who sends, and when`() {
        bench.track()
        bench.clock.advance(30_000)
        val text =
            bench.transport.batches
                .single()
                .text
        assertTrue(text, text.contains("\"sentAt\":\"2026-01-02T03:04:35.678Z\""))
        assertTrue(text, text.contains("\"observedAt\":\"2026-01-02T03:04:05.678Z\""))
        assertTrue(text, text.contains("\"environment\":\"prod\""))
        assertTrue(text, text.contains("\"app\":{\"id\":\"com.example.shop\",\"name\":\"Shop\",\"version\":\"1.0.0\"}"))
        assertEquals(
            DeliveryBench.API_KEY,
            bench.transport.batches
                .single()
                .request.apiKey,
        )
    }
}
