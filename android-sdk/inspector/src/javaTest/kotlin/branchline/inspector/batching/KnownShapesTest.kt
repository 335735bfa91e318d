package branchline.inspector.batching

import branchline.inspector.queue.ReportState
import branchline.inspector.support.DeliveryBench
import branchline.inspector.support.SentBatch
import branchline.inspector.transport.TransportReply
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

/** Schemas that the service has are sent by their ids. */
internal class KnownShapesTest {
    @get:Rule
    val folder = TemporaryFolder()

    private val bench by lazy { DeliveryBench(folder.root) }
    private val batches get() = bench.transport.batches

    /** A batch of two events, twice the first. */
    private fun trackTwo(): List<String> = (1..15).flatMap { listOf(bench.track("One"), bench.track("Two")) }

    private fun knowing(batch: SentBatch) = batch.receipt(unknownShapeIds = emptyList())

    @Test
    fun `a schema is sent until a receipt has said that it is known, then its id alone`() {
        bench.transport.answer = { TransportReply(503) }
        val first = trackTwo()
        bench.transport.answer = ::knowing
        bench.clock.advance(60_000)
        val second = trackTwo() + trackTwo()
        assertEquals(listOf(first, first), batches.take(2).map { it.messageIds })
        assertEquals(listOf(0, 0, 30, 30), batches.map { it.shapeIds.size })
        assertEquals(2, batches.flatMap { it.shapeIds }.toSet().size)
        assertTrue(batches[2].text.length * 2 < batches[1].text.length * 3)
        assertTrue((first + second).all { bench.states[it] == ReportState.SENT })
        assertEquals(first + second, batches.drop(1).flatMap { it.messageIds })
    }

    @Test
    fun `an event whose schema is asked for is kept and sent with it, the others are not sent again`() {
        bench.transport.answer = ::knowing
        trackTwo()
        val unknown = sentAgain().shapeIds[1]
        bench.transport.answer = { it.receipt(unknownShapeIds = listOf(unknown).filter { id -> id in batches.last().shapeIds }) }
        val asked = trackTwo().filterIndexed { index, _ -> index % 2 == 1 }
        assertTrue(asked.all { bench.states[it] == ReportState.QUEUED })
        bench.killAndRestart()
        bench.clock.advance(60_000)
        val last = batches.last()
        assertEquals(asked, last.messageIds)
        assertEquals(emptyList<String>(), last.shapeIds)
        assertTrue(asked.all { bench.states[it] == ReportState.SENT })
        val count = batches.size
        bench.clock.advance(DAY)
        assertEquals(count, batches.size)
    }

    @Test
    fun `after a schema was asked for, its id is sent again only when a receipt has said that it is known`() {
        bench.transport.answer = ::knowing
        trackTwo()
        bench.transport.answer = { it.receipt(unknownShapeIds = it.shapeIds.distinct()) }
        trackTwo()
        bench.clock.advance(60_000)
        assertEquals(listOf(0, 30, 0), batches.map { it.shapeIds.size })
        assertEquals(batches[1].messageIds, batches[2].messageIds)
        bench.transport.answer = ::knowing
        trackTwo()
        assertEquals(30, batches.last().shapeIds.size)
    }

    @Test
    fun `a server that takes no ids is sent schemas, also when another took ids before`() {
        bench.transport.answer = { it.receipt() }
        trackTwo()
        trackTwo()
        assertEquals(listOf(0, 0), batches.map { it.shapeIds.size })
        bench.transport.answer = ::knowing
        trackTwo()
        bench.transport.answer = { it.receipt(rejected = it.shapeIds.indices.associateWith { "The item lacks the field schema." }) }
        val ids = trackTwo()
        bench.clock.advance(60_000)
        assertEquals(listOf(0, 0, 0, 30, 0), batches.map { it.shapeIds.size })
        assertEquals(ids, batches.last().messageIds)
        assertTrue(ids.all { bench.states[it] == ReportState.SENT })
    }

    @Test
    fun `another endpoint, and another process, learn anew what is known`() {
        bench.transport.answer = ::knowing
        trackTwo()
        bench.delivery.applySettings(Settings(endpoint = "https://other.example"))
        trackTwo()
        trackTwo()
        bench.killAndRestart()
        trackTwo()
        assertEquals(listOf(0, 0, 30, 0), batches.map { it.shapeIds.size })
    }

    @Test
    fun `no more than some ids are remembered`() {
        bench.transport.answer = ::knowing
        repeat(70) { round -> repeat(30) { bench.track("$round $it") } }
        trackTwo()
        trackTwo()
        assertEquals(30, batches.last().shapeIds.size)
        bench.track("0 0").also { repeat(29) { bench.track("0 ${it + 1}") } }
        assertEquals(0, batches.last().shapeIds.size)
    }

    private fun sentAgain(): SentBatch = trackTwo().let { batches.last() }

    private companion object {
        const val DAY = 24L * 60 * 60 * 1_000
    }
}
