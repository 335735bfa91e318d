package branchline.inspector.batching

import branchline.inspector.platform.formatUtc
import branchline.inspector.platform.parseHttpDate
import branchline.inspector.queue.MessageIds
import branchline.inspector.support.FakeClock
import branchline.inspector.support.RecordingLog
import branchline.inspector.support.SeededRandom
import branchline.inspector.transport.Endpoint
import branchline.inspector.transport.Label
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test
import java.time.Instant
import java.time.ZoneOffset
import java.time.format.DateTimeFormatter
import java.util.UUID
import kotlin.random.Random

class TextTest {
    private val format = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC)

    @Test
    fun `times are written as the platform would`() {
        val random = Random(1)
        val some = List(2_000) { random.nextLong(0, 253_402_300_800_000L) } + listOf(0, 951_782_400_000, 1_709_164_800_000)
        some.forEach { assertEquals(format.format(Instant.ofEpochMilli(it)), formatUtc(it)) }
        assertEquals("1970-01-01T00:00:00.000Z", formatUtc(-1))
        assertEquals("9999-12-31T23:59:59.999Z", formatUtc(Long.MAX_VALUE))
    }

    @Test
    fun `dates of HTTP are read as the platform would`() {
        val random = Random(2)
        repeat(2_000) {
            val seconds = random.nextLong(0, 4_102_444_800L)
            val text =
                DateTimeFormatter
                    .ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", java.util.Locale.US)
                    .withZone(ZoneOffset.UTC)
                    .format(Instant.ofEpochSecond(seconds))
            assertEquals(seconds * 1_000, parseHttpDate(text))
        }
    }

    @Test
    fun `ids are UUIDs of version 7 in the order of time`() {
        val clock = FakeClock()
        val ids = MessageIds(clock, SeededRandom(1))
        val made = List(1_000) { ids.next().also { clock.advance(1) } }
        assertEquals(made.sorted(), made)
        assertEquals(1_000, made.toSet().size)
        made.map(UUID::fromString).forEach { id ->
            assertEquals(7, id.version())
            assertEquals(2, id.variant())
        }
        assertEquals(FakeClock.START, UUID.fromString(made[0]).mostSignificantBits ushr 16)
    }

    @Test
    fun `an endpoint is https, or on this device`() {
        val taken =
            listOf(
                "https://inspector.example",
                "https://inspector.example:8443/base/",
                "HTTPS://inspector.example",
                "http://localhost:3000",
                "http://127.0.0.1",
                "http://127.8.9.1:80",
                "http://[::1]:3000",
                "http://10.0.2.2:3000",
                "http://10.0.3.2",
                " https://a.example ",
            )
        taken.forEach { text ->
            val url = Endpoint.parse(text)
            assertEquals(text.trim().trimEnd('/') + "/inspector/batches/v1", url)
        }
        val refused =
            listOf(
                "http://inspector.example",
                "http://localhost.evil.example",
                "http://localhost@evil.example",
                "http://127.0.0.1.evil.example",
                "http://evil.example#@localhost",
                "https://user:secret@inspector.example",
                "https://inspector.example?key=1",
                "https://inspector.example#a",
                "ftp://inspector.example",
                "file:///etc/passwd",
                "inspector.example",
                "",
                "https://",
                "http://localhost\\@evil.example",
                "https://inspector.example\nX: y",
                "http://10.0.2.3",
                "http://[::2]",
                "http://10.0.2.2.evil.example",
            )
        refused.forEach { assertNull(it, Endpoint.parse(it)) }
    }

    @Test
    fun `labels are taken by the service in any case`() {
        assertEquals("unknown", Label.sanitize(""))
        assertEquals("unknown", Label.sanitize("\u0000\n"))
        assertEquals("Shöp 🐟", Label.sanitize("Shöp\u0000 🐟\n"))
        assertEquals(100, Label.sanitize("x".repeat(5_000)).length)
    }

    @Test
    fun `settings out of bounds are taken as the nearest bound, and one line says so`() {
        val log = RecordingLog()
        val sizes = listOf(0 to 1, -5 to 1, 1 to 1, 1_000 to 1_000, 1_001 to 1_000, Int.MAX_VALUE to 1_000, Int.MIN_VALUE to 1)
        sizes.forEach { (asked, taken) -> assertEquals(taken, Settings().withBatchSize(asked, log).batchSize) }
        assertEquals(5, log.warnings.size)
        assertTrue(log.warnings[0].contains("from 1 to 1000"))
        val seconds = listOf(0 to 1, -1 to 1, 1 to 1, 86_400 to 86_400, Int.MAX_VALUE to 86_400)
        seconds.forEach { (asked, taken) -> assertEquals(taken, Settings().withBatchFlushSeconds(asked, log).batchFlushSeconds) }
        assertEquals(8, log.warnings.size)
    }
}
