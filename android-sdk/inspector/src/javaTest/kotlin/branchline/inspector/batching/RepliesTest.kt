package branchline.inspector.batching

import branchline.inspector.queue.ReportState
import branchline.inspector.support.DeliveryBench
import branchline.inspector.support.SeededRandom
import branchline.inspector.transport.TransportReply
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

class RepliesTest {
    @get:Rule
    val folder = TemporaryFolder()

    private val bench by lazy { DeliveryBench(folder.root) }

    @Test
    fun `a receipt that rejects some gives up those, says why, and keeps none`() {
        bench.transport.answer = { it.receipt(rejected = mapOf(1 to "The name\\nis too long.", 3 to "The name\\nis too long.")) }
        val ids = bench.trackMany(30)
        assertEquals(ids.filterIndexed { index, _ -> index == 1 || index == 3 }, ids.filter { bench.states[it] == ReportState.FAILED })
        assertEquals(28, ids.count { bench.states[it] == ReportState.SENT })
        assertEquals("The service rejected an event: The nameis too long.", bench.log.warnings[0])
        assertEquals(2, bench.log.warnings.size)
        bench.clock.advance(DAY)
        assertEquals(1, bench.transport.batches.size)
    }

    @Test
    fun `a receipt that rejects a full batch at length is read`() {
        val reasons = (0 until 1_000).associateWith { "x".repeat(400) }
        bench.transport.answer = { TransportReply(TransportReply.NONE, failure = "offline") }
        bench.trackMany(1_000)
        bench.transport.answer = { batch -> batch.receipt(rejected = reasons.filterKeys { it < batch.messageIds.size }) }
        bench.clock.advance(900_000)
        assertEquals(1_000, bench.states.values.count { it == ReportState.FAILED })
    }

    @Test
    fun `204 counts as accepted`() {
        bench.transport.answer = { TransportReply(204) }
        val ids = bench.trackMany(30)
        assertTrue(ids.all { bench.states[it] == ReportState.SENT })
        bench.clock.advance(DAY)
        assertEquals(1, bench.transport.batches.size)
    }

    @Test
    fun `what fails for now is sent again as the same batch, and later events after it`() {
        val failures =
            listOf(
                TransportReply(TransportReply.NONE, failure = "timeout"),
                TransportReply(500),
                TransportReply(503),
                TransportReply(429),
                TransportReply(408),
                TransportReply(302),
                TransportReply(404),
                TransportReply(200, body = "<html>Sign in</html>"),
                TransportReply(200, body = null),
            )
        for (failure in failures) {
            val bench = DeliveryBench(folder.newFolder())
            bench.transport.answer = { failure }
            val first = bench.trackMany(30)
            assertEquals(1, bench.transport.batches.size)
            bench.transport.answer = { it.receipt() }
            val second = bench.trackMany(30)
            assertEquals(1, bench.transport.batches.size)
            bench.clock.advance(2_000)
            val (failed, again, later) = bench.transport.batches
            assertEquals(failed.batchId, again.batchId)
            assertEquals(listOf(first, first, second), listOf(failed, again, later).map { it.messageIds })
        }
    }

    @Test
    fun `a key that is refused stops sending until the endpoint changes or the app starts again`() {
        for (status in listOf(401, 403)) {
            val bench = DeliveryBench(folder.newFolder())
            bench.transport.answer = { TransportReply(status) }
            bench.trackMany(90)
            bench.clock.advance(DAY)
            assertEquals(1, bench.transport.batches.size)
            assertTrue(
                bench.log.warnings
                    .single()
                    .contains("Use the key from the Inspector tab"),
            )
            bench.killAndRestart()
            assertEquals(2, bench.transport.batches.size)
            bench.transport.answer = { it.receipt() }
            bench.delivery.applySettings(Settings(endpoint = "https://other.example"))
            bench.clock.settle()
            assertEquals(
                "https://other.example/inspector/batches/v1",
                bench.transport.batches
                    .last()
                    .request.url,
            )
            assertEquals(
                90,
                bench.transport.batches
                    .drop(2)
                    .sumOf { it.messageIds.size },
            )
        }
    }

    @Test
    fun `a refusal by a former endpoint does not stop the new one`() {
        bench.holdsReplies = true
        bench.transport.answer = { TransportReply(401) }
        bench.trackMany(30)
        bench.delivery.applySettings(Settings(endpoint = "https://other.example"))
        bench.clock.settle()
        bench.heldReplies.removeAt(0).run()
        bench.transport.answer = { it.receipt() }
        bench.clock.settle()
        bench.heldReplies.removeAt(0).run()
        bench.clock.settle()
        assertEquals(
            "https://other.example/inspector/batches/v1",
            bench.transport.batches
                .last()
                .request.url,
        )
        assertTrue(bench.states.values.all { it == ReportState.SENT })
    }

    @Test
    fun `413 sends smaller batches, and loses nothing`() {
        bench.transport.answer = { if (it.messageIds.size > 7) TransportReply(413) else it.receipt() }
        val ids = bench.trackMany(30)
        bench.clock.advance(60_000)
        val accepted = bench.transport.batches.filter { it.messageIds.size <= 7 }
        assertEquals(ids, accepted.flatMap { it.messageIds })
        assertEquals(
            bench.transport.batches.size,
            bench.transport.batches
                .map { it.batchId }
                .toSet()
                .size,
        )
    }

    @Test
    fun `400 costs the event that can't be read, and no other`() {
        bench.transport.answer = { batch -> if ("Event 17" in batch.eventNames) TransportReply(400) else batch.receipt() }
        val ids = bench.trackMany(30)
        bench.clock.advance(120_000)
        assertEquals(listOf(ids[16]), ids.filter { bench.states[it] == ReportState.FAILED })
        assertEquals(29, ids.count { bench.states[it] == ReportState.SENT })
        assertTrue("${bench.transport.batches.size} requests", bench.transport.batches.size < 20)
    }

    @Test
    fun `an endpoint that answers 400 to everything does not cost everything`() {
        bench.transport.answer = { TransportReply(400) }
        bench.trackMany(100)
        bench.clock.advance(3_600_000)
        val lost = bench.states.values.count { it == ReportState.FAILED }
        assertTrue("$lost lost in an hour", lost < 50)
    }

    @Test
    fun `a service that is away for a day costs at most 600 requests and no event`() {
        for (seed in 1..8) {
            val bench = DeliveryBench(folder.newFolder(), random = SeededRandom(seed))
            bench.transport.answer = { TransportReply(503) }
            val ids = (1..48).flatMap { bench.trackMany(20).also { bench.clock.advance(DAY / 48) } }
            assertTrue("${bench.transport.batches.size} requests", bench.transport.batches.size in 300..600)
            bench.transport.answer = { it.receipt() }
            val failed = bench.transport.batches.size
            bench.clock.advance(300_000)
            assertEquals(
                ids,
                bench.transport.batches
                    .drop(failed)
                    .flatMap { it.messageIds },
            )
        }
    }

    @Test
    fun `Retry-After is waited, in both forms`() {
        for (form in listOf("120", "Fri, 02 Jan 2026 03:06:05 GMT")) {
            val bench = DeliveryBench(folder.newFolder())
            bench.transport.answer = { TransportReply(429, retryAfter = form, date = "Fri, 02 Jan 2026 03:04:05 GMT") }
            bench.trackMany(90)
            bench.delivery.flush()
            bench.delivery.onBackground()
            bench.clock.advance(119_999)
            assertEquals(1, bench.transport.batches.size)
            bench.clock.advance(12_001)
            assertEquals(2, bench.transport.batches.size)
        }
    }

    @Test
    fun `a wait survives the end of the process, and no clock that is set makes it longer`() {
        for (shift in listOf(0L, -365 * DAY)) {
            val bench = DeliveryBench(folder.newFolder())
            bench.transport.answer = { TransportReply(503, retryAfter = "600") }
            val ids = bench.trackMany(30)
            bench.clock.setWall(bench.clock.wallMillis() + shift)
            bench.killAndRestart()
            bench.transport.answer = { it.receipt() }
            bench.clock.advance(599_999)
            assertEquals(1, bench.transport.batches.size)
            bench.clock.advance(60_001)
            assertEquals(2, bench.transport.batches.size)
            assertEquals(ids, bench.transport.batches[1].messageIds)
        }
    }

    @Test
    fun `an answer that never ends is ended after thirty seconds`() {
        bench.holdsReplies = true
        bench.trackMany(30)
        bench.clock.advance(29_999)
        assertEquals(0, bench.transport.aborted)
        bench.clock.advance(1)
        assertEquals(1, bench.transport.aborted)
        bench.clock.advance(DAY)
        assertEquals(1, bench.transport.aborted)
    }

    @Test
    fun `a redirect is said once, with what to do`() {
        bench.transport.answer = { TransportReply(302) }
        bench.trackMany(30)
        bench.clock.advance(3_600_000)
        assertTrue(
            bench.log.warnings
                .single()
                .contains("Check setEndpoint"),
        )
    }

    private companion object {
        const val DAY = 24L * 60 * 60 * 1_000
    }
}
