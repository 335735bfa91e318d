package branchline.inspector.queue

import branchline.inspector.support.DiskFaults
import branchline.inspector.support.FakeClock
import branchline.inspector.support.FaultyDisk
import branchline.inspector.support.RecordingLog
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.io.File
import kotlin.random.Random

class EventQueueTest {
    @get:Rule
    val folder = TemporaryFolder()

    private val clock = FakeClock()
    private val faults = DiskFaults()
    private val log = RecordingLog()
    private val dropped = ArrayList<Pair<String, Int>>()

    @Test
    fun `the oldest go when there are more than a thousand`() {
        val queue = open()
        queue.add((1..1_003).map(::event))
        assertEquals((4..1_003).map { "id-$it" }, queue.ids())
        assertEquals((1..3).map { "id-$it" to DropReason.OVERFLOW }, dropped)
        assertEquals((4..1_003).map { "id-$it" }, open().ids())
    }

    @Test
    fun `the oldest go when they have more than two megabytes`() {
        val queue = open()
        queue.add((1..5).map { event(it, size = 500_000) })
        assertEquals(listOf("id-2", "id-3", "id-4", "id-5"), queue.ids())
    }

    @Test
    fun `what is being sent is not dropped`() {
        val queue = open()
        queue.add((1..1_000).map(::event))
        queue.hold("batch", 2)
        queue.add(listOf(event(1_001)))
        assertEquals(listOf("id-1", "id-2", "id-4"), queue.ids().take(3))
        assertEquals(998, queue.unsent)
    }

    @Test
    fun `an event goes when it is seven days old, in this process or the next`() {
        val queue = open()
        queue.add(listOf(event(1)))
        clock.advance(6 * DAY)
        queue.add(listOf(event(2)))
        clock.advance(DAY - 1)
        queue.dropExpired()
        assertEquals(listOf("id-1", "id-2"), queue.ids())
        clock.advance(1)
        assertEquals(listOf("id-2"), open().ids())
        queue.dropExpired()
        assertEquals(listOf("id-2"), queue.ids())
    }

    @Test
    fun `a clock that is set by a year drops nothing in the process, and set back nothing in the next`() {
        val queue = open()
        queue.add(listOf(event(1)))
        clock.setWall(FakeClock.START + 365 * DAY)
        queue.dropExpired()
        assertEquals(listOf("id-1"), queue.ids())
        clock.setWall(FakeClock.START - 365 * DAY)
        val next = open()
        assertEquals(listOf("id-1"), next.ids())
        clock.advance(7 * DAY)
        next.dropExpired()
        assertEquals(emptyList<String>(), next.ids())
    }

    @Test
    fun `the file does not grow while events come and go`() {
        val queue = open()
        repeat(5_000) {
            queue.add(listOf(event(it)))
            queue.removeFirst(1)
        }
        assertTrue("${file().length()} bytes", file().length() < 100_000)
        assertTrue(open().ids().isEmpty())
    }

    @Test
    fun `every byte of the file may be damaged, and no other event is lost`() {
        open().apply {
            add((1..4).map(::event))
            hold("batch", 2)
            removeFirst(2)
            add((5..6).map(::event))
            hold("next batch", 1)
        }
        val sound = file().readBytes()
        for (at in sound.indices) {
            file().writeBytes(sound.copyOf().also { it[at] = (it[at].toInt() xor 0x55).toByte() })
            val ids = open().ids()
            val lost = (3..6).map { "id-$it" } - ids.toSet()
            assertTrue("byte $at lost $lost", lost.size <= 1)
            assertEquals("byte $at", emptyList<String>(), ids - (3..6).map { "id-$it" }.toSet())
        }
    }

    @Test
    fun `a disk that is full keeps events in memory, says so once, and is written again when there is room`() {
        val queue = open()
        queue.add(listOf(event(1)))
        faults.bytesLeft = 50
        repeat(20) { queue.add(listOf(event(2 + it))) }
        assertEquals((1..21).map { "id-$it" }, queue.ids())
        assertFalse(queue.isOnDisk)
        assertEquals(1, log.warnings.size)
        assertEquals(listOf("id-1"), open().ids())
        faults.bytesLeft = Long.MAX_VALUE
        clock.advance(10_000)
        queue.heal()
        assertTrue(queue.isOnDisk)
        assertEquals((1..21).map { "id-$it" }, open().ids())
    }

    @Test
    fun `a file that can't be read yet is neither overwritten nor forgotten`() {
        open().add(listOf(event(1), event(2)))
        faults.unreadable = true
        val queue = open()
        queue.add(listOf(event(3)))
        assertEquals(listOf("id-3"), queue.ids())
        faults.unreadable = false
        clock.advance(10_000)
        queue.open()
        assertEquals(listOf("id-1", "id-2", "id-3"), queue.ids())
        assertEquals(listOf("id-1", "id-2", "id-3"), open().ids())
    }

    @Test
    fun `it does what a simple model does, over restarts, damage and full disks`() {
        repeat(20) { seed -> playAgainstModel(seed) }
    }

    private fun playAgainstModel(seed: Int) {
        val random = Random(seed)
        val root = File(folder.root, "model-$seed")
        var queue = open(root)
        val model = ArrayDeque<String>()
        var next = 0
        repeat(300) {
            when (random.nextInt(8)) {
                0, 1, 2 -> {
                    val events = List(random.nextInt(1, 120)) { event(next++, size = random.nextInt(10, 4_000)) }
                    queue.add(events)
                    model += events.map { it.messageId }
                    while (model.size > queue.size) model.removeFirst()
                }

                3, 4 -> {
                    val count = random.nextInt(model.size + 1)
                    queue.removeFirst(count)
                    repeat(count) { model.removeFirst() }
                }

                5 -> {
                    queue = open(root)
                }

                6 -> {
                    File(root, "queue").takeIf { it.exists() }?.appendBytes(random.nextBytes(30))
                    queue = open(root)
                }

                7 -> {
                    faults.bytesLeft = random.nextLong(5_000)
                    queue.add(listOf(event(next)))
                    model += "id-${next++}"
                    while (model.size > queue.size) model.removeFirst()
                    faults.bytesLeft = Long.MAX_VALUE
                    clock.advance(10_000)
                    queue.heal()
                }
            }
            assertEquals("seed $seed, step $it", model.toList(), queue.ids())
            assertTrue(queue.size <= 1_000)
        }
    }

    private fun open(root: File = folder.root): EventQueue {
        val home =
            object : QueueHome {
                override val shared = FolderDisk(root)

                override fun claim() =
                    object : QueuePlace {
                        override val disk = FaultyDisk(FolderDisk(root), faults)

                        override fun release() = Unit
                    }

                override fun claimOrphans() = emptyList<QueuePlace>()
            }
        val queue = EventQueue(QueueFile(home, clock, log), clock, Drops())
        queue.open()
        return queue
    }

    private fun file() = File(folder.root, "queue")

    private fun event(
        number: Int,
        size: Int = 20,
    ) = QueuedEvent("id-$number", clock.wallMillis(), "1.0.0", "{" + "x".repeat(size - 2) + "}")

    private fun EventQueue.ids() = head(size).map { it.messageId }

    private fun EventQueue.add(events: List<QueuedEvent>) = add(events, clock.elapsedMillis())

    private inner class Drops : DropCounter(log, null) {
        override fun drop(
            events: List<QueuedEvent>,
            reason: Int,
        ) {
            dropped += events.map { it.messageId to reason }
        }
    }

    private companion object {
        const val DAY = 24L * 60 * 60 * 1_000
    }
}
