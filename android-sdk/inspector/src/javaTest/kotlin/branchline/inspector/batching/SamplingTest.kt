package branchline.inspector.batching

import branchline.inspector.queue.TrackedEvent
import branchline.inspector.support.DeliveryBench
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder

class SamplingTest {
    @get:Rule
    val folder = TemporaryFolder()

    private val bench by lazy { DeliveryBench(folder.root) }

    @Test
    fun `the rate of the last receipt holds for later events, is told to the service, and survives a restart`() {
        bench.transport.answer = { it.receipt(samplingRate = 0.25) }
        bench.trackMany(30)
        bench.killAndRestart()
        bench.trackMany(1_000)
        bench.clock.advance(30_000)
        val later = bench.transport.batches.drop(1)
        assertTrue("${later.sumOf { it.messageIds.size }}", later.sumOf { it.messageIds.size } in 200..300)
        assertTrue(later.all { "\"samplingRate\":0.25" in it.text })
    }

    @Test
    fun `a rate of nothing is asked about again after a day`() {
        bench.transport.answer = { it.receipt(samplingRate = 0.0) }
        bench.trackMany(30)
        bench.trackMany(100)
        bench.clock.advance(60_000)
        assertEquals(1, bench.transport.batches.size)
        bench.clock.advance(DAY)
        bench.trackMany(30)
        assertEquals(2, bench.transport.batches.size)
        bench.trackMany(100)
        bench.clock.advance(60_000)
        assertEquals(2, bench.transport.batches.size)
    }

    @Test
    fun `a clock that is set back by a year does not keep the rate for a year`() {
        bench.transport.answer = { it.receipt(samplingRate = 0.0) }
        bench.trackMany(30)
        bench.clock.setWall(bench.clock.wallMillis() - 365 * DAY)
        bench.trackMany(30)
        assertEquals(2, bench.transport.batches.size)
    }

    @Test
    fun `after an opt-out nothing is stored or sent, now and after a restart`() {
        bench.trackMany(10)
        bench.delivery.optOut(true)
        assertTrue(bench.delivery.isOptedOut)
        bench.trackMany(40)
        bench.clock.advance(60_000)
        assertFalse(bench.stored().contains("price"))
        bench.killAndRestart()
        assertTrue(bench.delivery.isOptedOut)
        bench.trackMany(40)
        bench.clock.advance(60_000)
        assertEquals(0, bench.transport.batches.size)
        bench.delivery.optOut(false)
        bench.trackMany(30)
        assertEquals(30, bench.transport.messageIds.size)
    }

    @Test
    fun `an opt-out holds from the call on, also for what the worker has not taken yet`() {
        bench.delivery.report(TrackedEvent("Event", 0, emptyMap(), "id"))
        bench.delivery.optOut(true)
        bench.clock.settle()
        assertEquals(null, bench.states["id"])
        assertTrue(bench.delivery.isOptedOut)
    }

    @Test
    fun `the disk is asked for an opt-out before a batch leaves, not for each event`() {
        bench.trackMany(60)
        assertEquals(3, bench.faults.read.count { it == "opt-out" })
    }

    @Test
    fun `an opt-out in another process of the app ends sending here`() {
        bench.trackMany(29)
        DeliveryBench(folder.root, clock = bench.clock).apply { delivery.optOut(true) }
        bench.clock.settle()
        bench.trackMany(10)
        bench.clock.advance(60_000)
        assertEquals(0, bench.transport.batches.size)
        assertTrue(bench.delivery.isOptedOut)
    }

    @Test
    fun `an opt-out ends the batch that is under way, and its reply changes nothing`() {
        bench.holdsReplies = true
        bench.trackMany(30)
        bench.delivery.optOut(true)
        bench.clock.settle()
        assertEquals(1, bench.transport.aborted)
        bench.heldReplies.removeAt(0).run()
        bench.clock.settle()
        bench.delivery.optOut(false)
        bench.clock.advance(60_000)
        assertEquals(1, bench.transport.batches.size)
    }

    @Test
    fun `an opt-out on a full disk holds, and is saved when there is room`() {
        bench.trackMany(3)
        bench.faults.bytesLeft = -1
        bench.delivery.optOut(true)
        bench.clock.settle()
        assertTrue(
            bench.log.warnings
                .single()
                .contains("opt-out"),
        )
        bench.faults.bytesLeft = Long.MAX_VALUE
        bench.delivery.flush()
        bench.clock.settle()
        bench.killAndRestart()
        assertTrue(bench.delivery.isOptedOut)
    }

    private companion object {
        const val DAY = 24L * 60 * 60 * 1_000
    }
}
