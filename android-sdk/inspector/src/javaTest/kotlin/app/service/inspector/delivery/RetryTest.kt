package app.service.inspector.delivery

import app.service.inspector.support.FakeClock
import app.service.inspector.support.SeededRandom
import app.service.inspector.wire.BatchReceipt
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
            state = retry.next(state, Verdict.Later("down"), sent = 5).state
            assertTrue("${state.waitMillis} after $failures", state.waitMillis in ceiling / 10..ceiling)
        }
        val waits = List(200) { retry.next(state, Verdict.Later("down"), sent = 5).state.waitMillis }
        assertTrue("spread", waits.min() < 60_000 && waits.max() > 270_000)
    }

    @Test
    fun `what the server asks for is waited at least, and at most a tenth more`() {
        repeat(100) {
            val wait = retry.next(RetryState(), Verdict.Later("busy", 120_000), sent = 5).state.waitMillis
            assertTrue("$wait", wait in 120_000..132_000)
        }
    }

    @Test
    fun `a success starts afresh`() {
        val failed = retry.next(RetryState(), Verdict.Later("down"), 5).state
        val step = retry.next(failed, Verdict.Taken(BatchReceipt(5, 0, emptyList(), 1.0)), 5)
        assertEquals(RetryState(), step.state)
        assertEquals(RetryAction.FORGET, step.action)
    }

    @Test
    fun `a batch that is too much is halved down to one event, which is given up`() {
        var state = RetryState()
        val sizes = generateSequence(30) { size -> if (size == 1) null else size / 2 }.toList()
        for (size in sizes.dropLast(1)) {
            val step = retry.next(state, Verdict.TooMuch(413), size)
            assertEquals(RetryAction.SPLIT, step.action)
            assertEquals(size / 2, step.state.maxEvents)
            assertEquals(0, step.state.waitMillis)
            state = step.state
        }
        val last = retry.next(state, Verdict.TooMuch(413), 1)
        assertEquals(RetryAction.DROP, last.action)
        assertTrue(last.state.waitMillis > 0)
    }

    @Test
    fun `every status has its verdict`() {
        val receipt = "{\"accepted\":1,\"duplicates\":0,\"rejected\":[],\"samplingRate\":1}"
        val expected =
            mapOf(
                200 to Verdict.Taken::class,
                201 to Verdict.Taken::class,
                204 to Verdict.Taken::class,
                301 to Verdict.Elsewhere::class,
                302 to Verdict.Elsewhere::class,
                307 to Verdict.Elsewhere::class,
                308 to Verdict.Elsewhere::class,
                400 to Verdict.TooMuch::class,
                401 to Verdict.Refused::class,
                403 to Verdict.Refused::class,
                404 to Verdict.Elsewhere::class,
                405 to Verdict.Elsewhere::class,
                408 to Verdict.Later::class,
                413 to Verdict.TooMuch::class,
                415 to Verdict.Elsewhere::class,
                425 to Verdict.Later::class,
                429 to Verdict.Later::class,
                500 to Verdict.Later::class,
                502 to Verdict.Later::class,
                503 to Verdict.Later::class,
                504 to Verdict.Later::class,
            )
        expected.forEach { (status, kind) ->
            assertEquals("$status", kind, Verdict.of(TransportReply.Answered(status, body = receipt), 0)::class)
        }
        assertEquals(Verdict.Later::class, Verdict.of(TransportReply.Failed("gone"), 0)::class)
        for (unreadable in listOf(null, "", "<html>Sign in</html>", "{}", receipt.dropLast(5))) {
            assertEquals("$unreadable", Verdict.Later::class, Verdict.of(TransportReply.Answered(200, body = unreadable), 0)::class)
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
