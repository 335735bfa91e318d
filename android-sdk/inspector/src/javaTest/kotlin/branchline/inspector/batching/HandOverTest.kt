package branchline.inspector.batching

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.queue.Disk
import branchline.inspector.queue.DiskFailure
import branchline.inspector.queue.Inbox
import branchline.inspector.queue.QueueHome
import branchline.inspector.queue.QueuePlace
import branchline.inspector.queue.ReportObserver
import branchline.inspector.queue.ReportState
import branchline.inspector.queue.TrackedEvent
import branchline.inspector.support.DeliveryBench
import branchline.inspector.support.FakeApp
import branchline.inspector.support.FakeClock
import branchline.inspector.support.RecordingLog
import branchline.inspector.support.ScriptedTransport
import branchline.inspector.support.SeededRandom
import branchline.inspector.support.deliver
import branchline.inspector.transport.Sender
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.io.File

class HandOverTest {
    @get:Rule
    val folder = TemporaryFolder()

    @Test
    fun `the caller's thread neither writes nor sends`() {
        val bench = DeliveryBench(File(folder.root, "queues"))
        bench.track()
        val before = bench.stored()
        repeat(40) { bench.delivery.report(event(it)) }
        assertEquals(before, bench.stored())
        assertEquals(0, bench.transport.batches.size)
        bench.clock.settle()
        assertEquals(41, bench.transport.messageIds.size)
    }

    @Test
    fun `the caller's thread does not even look at the disk`() {
        val clock = FakeClock()
        val untouchable = UntouchableHome()
        val parts =
            DeliveryParts(
                clock,
                SeededRandom(1),
                RecordingLog(),
                clock.worker(),
                clock.worker(),
                Inbox(),
                untouchable,
                ScriptedTransport(),
            )
        val sender = Sender("key", ServiceInspectorEnv.Prod, "jvm", FakeApp())
        val delivery = parts.deliver(sender, Settings(endpoint = DeliveryBench.ENDPOINT))
        delivery.report(event(1))
        delivery.applySettings(Settings(batchSize = 1, endpoint = DeliveryBench.ENDPOINT))
        delivery.flush()
        delivery.onBackground()
        delivery.optOut(true)
        delivery.close()
        assertEquals(0, untouchable.touched)
        clock.settle()
        assertTrue(untouchable.touched > 0)
    }

    @Test
    fun `while the worker is busy a thousand events are kept, and the others counted`() {
        val bench = DeliveryBench(folder.root)
        repeat(1_200) { bench.delivery.report(event(it)) }
        assertEquals(ReportState.FAILED, bench.states["id-1000"])
        bench.clock.settle()
        assertEquals((0 until 1_000).map { "id-$it" }, bench.transport.messageIds)
        assertTrue(
            bench.log.warnings
                .single()
                .startsWith("Dropped events, 200 so far, because they came faster"),
        )
    }

    @Test
    fun `an observer that is given twice is told once`() {
        val bench = DeliveryBench(folder.root)
        val told = ArrayList<TrackedEvent>()
        val observer =
            object : ReportObserver {
                override fun onTracked(event: TrackedEvent) {
                    told += event
                }

                override fun onState(
                    messageId: String,
                    state: ReportState,
                ) = Unit
            }
        repeat(2) { bench.delivery.observer = observer }
        assertEquals(listOf(bench.track()), told.map { it.messageId })
    }

    @Test
    fun `a fault in an observer stops nothing`() {
        val bench = DeliveryBench(folder.root)
        bench.delivery.observer =
            object : ReportObserver {
                override fun onTracked(event: TrackedEvent) = Unit

                override fun onState(
                    messageId: String,
                    state: ReportState,
                ) = error("A fault.")
            }
        val ids = bench.trackMany(30)
        bench.clock.advance(60_000)
        assertEquals(ids.toSet(), bench.transport.messageIds.toSet())
        assertFalse(bench.log.warnings.isEmpty())
    }

    /** A home that counts each use of it. */
    private class UntouchableHome : QueueHome {
        var touched = 0

        override val shared: Disk =
            object : Disk {
                override fun read(name: String): ByteArray? = touch()

                override fun append(
                    name: String,
                    bytes: ByteArray,
                ) = touch()

                override fun replace(
                    name: String,
                    bytes: ByteArray,
                ) = touch()

                override fun delete(name: String) = touch()
            }

        override fun claim(): QueuePlace = touch()

        override fun claimOrphans(): List<QueuePlace> = touch()

        private fun touch(): Nothing {
            touched++
            throw DiskFailure("Not here.")
        }
    }

    private fun event(number: Int) =
        TrackedEvent("Event", 1_767_323_045_678L, mapOf("price" to ServiceEventSchemaType.ServiceInt()), "id-$number")
}
