package branchline.inspector.retry

import branchline.inspector.support.FakeClock
import branchline.inspector.support.SeededRandom
import branchline.inspector.transport.TransportReply
import branchline.inspector.wire.BatchReceipt
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

class RetryTest {
    private val retry = Retry(SeededRandom(3))

    @Test
    fun `the wait doubles up to five minutes, with jitter`() {
        var state = RetryState()
        repeat(40) { failures ->
            val ceiling = minOf(300_000L, 1_000L shl minOf(failures, 20))
            state = retry.next(state, ResponseClassification.RETRYABLE, sent = 5)
            assertTrue("${state.waitMillis} after $failures", state.waitMillis in ceiling / 10..ceiling)
        }
        val waits = List(200) { retry.next(state, ResponseClassification.RETRYABLE, sent = 5).waitMillis }
        assertTrue("spread", waits.min() < 60_000 && waits.max() > 270_000)
    }

    @Test
    fun `what the server asks for is waited at least, and at most a tenth more`() {
        repeat(100) {
            val wait = retry.next(RetryState(), ResponseClassification.RETRYABLE, sent = 5, retryAfterMillis = 120_000).waitMillis
            assertTrue("$wait", wait in 120_000..132_000)
        }
    }

    @Test
    fun `a success starts afresh`() {
        val failed = retry.next(RetryState(), ResponseClassification.RETRYABLE, 5)
        assertEquals(RetryState(), retry.next(failed, ResponseClassification.DELIVERED, 5))
    }

    @Test
    fun `a batch that is too large is halved down to one event, after which there is a pause`() {
        var state = RetryState()
        val sizes = generateSequence(30) { size -> if (size == 1) null else size / 2 }.toList()
        for (size in sizes.dropLast(1)) {
            state = retry.next(state, ResponseClassification.TOO_LARGE, size)
            assertEquals(size / 2, state.maxEvents)
            assertEquals(0, state.waitMillis)
        }
        assertTrue(retry.next(state, ResponseClassification.TOO_LARGE, 1).waitMillis > 0)
    }

    @Test
    fun `every status has its classification`() {
        val receipt = BatchReceipt(1, 0, emptyList(), 1.0)
        val expected =
            mapOf(
                ResponseClassification.DELIVERED to listOf(200, 201, 204),
                ResponseClassification.FOREIGN to listOf(301, 302, 307, 308, 404, 405, 415),
                ResponseClassification.TOO_LARGE to listOf(400, 413),
                ResponseClassification.KEY_REFUSED to listOf(401, 403),
                ResponseClassification.RETRYABLE to listOf(408, 425, 429, 500, 502, 503, 504),
            )
        for ((classification, statuses) in expected) {
            for (status in statuses) assertEquals("$status", classification, classify(TransportReply.Answered(status), receipt))
        }
        assertEquals(ResponseClassification.RETRYABLE, classify(TransportReply.Failed("gone"), null))
        assertEquals(ResponseClassification.RETRYABLE, classify(TransportReply.Answered(200), null))
        assertEquals(ResponseClassification.DELIVERED, classify(TransportReply.Answered(204), null))
    }

    @Test
    fun `a receipt is read whole or not at all`() {
        val receipt = "{\"accepted\":1,\"duplicates\":0,\"rejected\":[],\"samplingRate\":1}"
        assertEquals(1, BatchReceipt.read(receipt)?.accepted)
        for (unreadable in listOf(
            "",
            "<html>Sign in</html>",
            "{}",
            receipt.dropLast(5),
        )) {
            assertNull(unreadable, BatchReceipt.read(unreadable))
        }
    }

    @Test
    fun `Retry-After is read in seconds and in each form of a date`() {
        assertEquals(120_000L, after("120"))
        assertEquals(0L, after("0"))
        assertEquals(RetryAfter.MAX_MILLIS, after("99999999999999999999"))
        // By the clock of the server, where it is said: that of the device may be wrong.
        val date = "Fri, 02 Jan 2026 03:04:05 GMT"
        assertEquals(90_000L, after("Fri, 02 Jan 2026 03:05:35 GMT", date))
        assertEquals(90_000L, after("Friday, 02-Jan-26 03:05:35 GMT", date))
        assertEquals(90_000L, after("Fri Jan  2 03:05:35 2026", date))
        assertEquals(0L, after("Fri, 02 Jan 2026 03:04:00 GMT", date))
        assertEquals(89_322L, after("Fri, 02 Jan 2026 03:05:35 GMT", null))
        for (nonsense in listOf("soon", "-5", "1.5", "Fri, 02 Foo 2026 03:05:35 GMT", "", null)) assertNull(nonsense, after(nonsense))
    }

    private fun after(
        text: String?,
        date: String? = null,
    ) = RetryAfter.millis(TransportReply.Answered(503, retryAfter = text, date = date), FakeClock.START)
}
