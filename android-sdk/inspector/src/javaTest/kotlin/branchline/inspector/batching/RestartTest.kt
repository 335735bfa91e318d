package branchline.inspector.batching

import branchline.inspector.queue.ReportState
import branchline.inspector.support.DeliveryBench
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

class RestartTest {
    @get:Rule
    val folder = TemporaryFolder()

    private val bench by lazy { DeliveryBench(folder.root) }

    @Test
    fun `what was tracked before the end is sent at the next start, under the same ids`() {
        val ids = bench.trackMany(7)
        bench.killAndRestart()
        assertEquals(
            ids,
            bench.transport.batches
                .single()
                .messageIds,
        )
        assertTrue(ids.all { bench.states[it] == ReportState.SENT })
    }

    @Test
    fun `what was sent is not sent again`() {
        bench.trackMany(30)
        bench.killAndRestart()
        bench.clock.advance(60_000)
        assertEquals(1, bench.transport.batches.size)
    }

    @Test
    fun `a batch that was cut off keeps its id, though more events came`() {
        bench.holdsReplies = true
        val ids = bench.trackMany(30)
        val more = bench.trackMany(5)
        bench.heldReplies.removeAt(0).run()
        bench.holdsReplies = false
        bench.killAndRestart()
        bench.clock.settle()
        val (cut, again, rest) = bench.transport.batches
        assertEquals(cut.batchId, again.batchId)
        assertEquals(listOf(ids, ids, more), listOf(cut, again, rest).map { it.messageIds })
    }

    @Test
    fun `events of one version of the app are never sent as those of another`() {
        val old = bench.trackMany(3)
        bench.appVersion = "2.0.0"
        bench.settings = Settings()
        bench.killAndRestart()
        val new = bench.trackMany(3)
        bench.delivery.applySettings(Settings(endpoint = DeliveryBench.ENDPOINT))
        bench.clock.advance(60_000)
        assertEquals(listOf("1.0.0" to old, "2.0.0" to new), bench.transport.batches.map { it.appVersion to it.messageIds })
    }

    @Test
    fun `neither the key nor anything but the schema is stored`() {
        bench.trackMany(3)
        val stored = bench.stored()
        assertTrue(stored.contains("\"price\""))
        assertFalse(stored.contains(DeliveryBench.API_KEY))
        assertFalse(
            bench.log.lines
                .toString()
                .contains(DeliveryBench.API_KEY),
        )
    }

    @Test
    fun `damage costs one event, is counted, and the rest is sent`() {
        val ids = bench.trackMany(5)
        val file = bench.queueFile()
        val bytes = file.readBytes()
        val at = bytes.decodeToString().indexOf("Event 3")
        file.writeBytes(file.readText(Charsets.ISO_8859_1).replace("Event 3", "Event X").toByteArray(Charsets.ISO_8859_1))
        assertTrue(at > 0)
        bench.killAndRestart()
        assertEquals(ids - ids[2], bench.transport.messageIds)
        assertTrue(
            bench.log.warnings
                .single()
                .contains("damaged"),
        )
    }

    @Test
    fun `a full disk stops nothing`() {
        bench.faults.bytesLeft = 10
        val ids = bench.trackMany(30)
        assertEquals(
            ids,
            bench.transport.batches
                .single()
                .messageIds,
        )
        assertEquals(1, bench.log.warnings.size)
    }

    @Test
    fun `after a full disk events are stored again without another one`() {
        bench.faults.bytesLeft = 10
        val ids = bench.trackMany(3)
        bench.faults.bytesLeft = Long.MAX_VALUE
        bench.clock.advance(10_000)
        bench.killAndRestart()
        assertEquals(ids, bench.transport.messageIds)
    }

    @Test
    fun `a place that can't be had at the start is had later`() {
        bench.trackMany(2)
        val stored = bench.transport.batches.size
        bench.faults.unreadable = true
        bench.killAndRestart()
        bench.track()
        bench.faults.unreadable = false
        bench.clock.advance(40_000)
        assertEquals(0, stored)
        assertEquals(
            3,
            bench.transport.messageIds
                .toSet()
                .size,
        )
    }
}
