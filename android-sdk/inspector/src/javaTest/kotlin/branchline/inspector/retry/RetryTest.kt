package branchline.inspector.retry

import branchline.inspector.support.FakeClock
import branchline.inspector.support.SeededRandom
import branchline.inspector.transport.TransportReply
import branchline.inspector.wire.BatchReceipt
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

class RetryTest {
    private val random = SeededRandom(3)
    private val retry = Retry(random, FakeClock())

    @Test
    fun `the wait doubles up to five minutes, with jitter`() {
        repeat(40) { failures ->
            val ceiling = minOf(300_000L, 1_000L shl minOf(failures, 20))
            assertTrue("after $failures", waitAfter(Meaning.RETRYABLE) in ceiling / 10..ceiling)
        }
        val waits = List(200) { waitAfter(Meaning.RETRYABLE) }
        assertTrue("spread", waits.min() < 60_000 && waits.max() > 270_000)
    }

    @Test
    fun `what the server asks for is waited at least, and at most a tenth more`() {
        repeat(100) {
            val fresh = Retry(random, FakeClock())
            fresh.onReply(Meaning.RETRYABLE, sent = 5, askedMillis = 120_000)
            assertTrue("${fresh.waitMillis}", fresh.waitMillis in 120_000..132_000)
        }
    }

    @Test
    fun `a success starts afresh`() {
        retry.onReply(Meaning.RETRYABLE, 5, 0)
        assertEquals(1, retry.failures)
        retry.onReply(Meaning.DELIVERED, 5, 0)
        assertEquals(listOf(0, 0L, 1_000, false), retry.run { listOf(failures, waitMillis, maxEvents, isStopped) })
    }

    @Test
    fun `a refused key stops until everything is forgotten`() {
        retry.onReply(Meaning.KEY_REFUSED, 5, 0)
        assertTrue(retry.isStopped)
        retry.reset()
        assertFalse(retry.isStopped)
    }

    @Test
    fun `a batch that is too large is halved down to one event, after which there is a pause`() {
        val sizes = generateSequence(30) { size -> if (size == 1) null else size / 2 }.toList()
        for (size in sizes.dropLast(1)) {
            assertEquals(0, waitAfter(Meaning.TOO_LARGE, size))
            assertEquals(size / 2, retry.maxEvents)
        }
        assertTrue(waitAfter(Meaning.TOO_LARGE, 1) > 0)
    }

    @Test
    fun `every status has its meaning`() {
        val receipt = BatchReceipt(1, 0, emptyList(), 1.0)
        val expected =
            mapOf(
                Meaning.DELIVERED to listOf(200, 201, 204),
                Meaning.FOREIGN to listOf(301, 302, 307, 308, 404, 405, 415),
                Meaning.TOO_LARGE to listOf(400, 413),
                Meaning.KEY_REFUSED to listOf(401, 403),
                Meaning.RETRYABLE to listOf(408, 425, 429, 500, 502, 503, 504),
            )
        for ((meaning, statuses) in expected) {
            for (status in statuses) assertEquals("$status", meaning, Meaning.of(TransportReply(status), receipt))
        }
        assertEquals(Meaning.RETRYABLE, Meaning.of(TransportReply(TransportReply.NONE, failure = "gone"), null))
        assertEquals(Meaning.RETRYABLE, Meaning.of(TransportReply(200), null))
        assertEquals(Meaning.DELIVERED, Meaning.of(TransportReply(204), null))
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
        for (nonsense in listOf("soon", "-5", "1.5", "Fri, 02 Foo 2026 03:05:35 GMT", "", null)) assertEquals(nonsense, 0L, after(nonsense))
    }

    private fun waitAfter(
        meaning: Int,
        sent: Int = 5,
    ): Long {
        retry.onReply(meaning, sent, 0)
        return retry.waitMillis
    }

    private fun after(
        text: String?,
        date: String? = null,
    ) = RetryAfter.millis(TransportReply(503, retryAfter = text, date = date), FakeClock.START)
}
