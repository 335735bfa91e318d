package branchline.inspector.batching

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.platform.JvmClock
import branchline.inspector.queue.FolderQueueHome
import branchline.inspector.queue.TrackedEvent
import branchline.inspector.support.FakeApp
import branchline.inspector.support.RecordingLog
import branchline.inspector.support.ScriptedServer
import branchline.inspector.support.SentBatch
import branchline.inspector.transport.Sender
import branchline.inspector.transport.TransportRequest
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotSame
import org.junit.Assert.assertSame
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.io.File
import java.util.UUID
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

class DeliveryProcessTest {
    @get:Rule
    val folder = TemporaryFolder()

    private val received = CopyOnWriteArrayList<Pair<String, String>>()
    private var expected = CountDownLatch(0)
    private val server =
        ScriptedServer { request, out ->
            val batch = SentBatch(TransportRequest("", "", request.body.encodeToByteArray()))
            received += batch.messageIds.map { request.headers.getValue("api-key") to it }
            out.write(ScriptedServer.response("200 OK", batch.receipt().body.orEmpty()).toByteArray())
            repeat(batch.messageIds.size) { expected.countDown() }
        }

    @After
    fun close() {
        DeliveryProcess.reset()
        server.close()
    }

    @Test
    fun `instances with the same key and environment share a delivery, others do not`() {
        val first = delivery("key-a")
        assertSame(first, delivery("key-a"))
        assertNotSame(first, delivery("key-b"))
        assertNotSame(first, delivery("key-a", ServiceInspectorEnv.Staging))
    }

    @Test(timeout = 300_000)
    fun `many threads and two keys, and every event comes once, under its key, by two daemon threads`() {
        DeliveryProcess.change { Settings(batchFlushSeconds = 1, endpoint = server.url) }
        expected = CountDownLatch(800)
        val keys = listOf("key-a", "key-b")
        val threads =
            List(8) { number ->
                thread { repeat(100) { report(delivery(keys[number % 2]), keys[number % 2]) } }
            }
        threads.forEach { it.join() }
        assertTrue(expected.await(120, TimeUnit.SECONDS))
        assertEquals(800, received.toSet().size)
        assertTrue(received.all { (key, id) -> id in reported.getValue(key) })
        val here = Thread.currentThread().contextClassLoader
        val ours = Thread.getAllStackTraces().keys.filter { it.name.startsWith("branchline") && it.contextClassLoader === here }
        assertEquals(2, ours.size)
        assertTrue(ours.all { it.isDaemon })
    }

    @Test(timeout = 300_000)
    fun `a setting reaches deliveries that are there already`() {
        DeliveryProcess.change { Settings(batchFlushSeconds = 86_400) }
        val delivery = delivery("key-a")
        expected = CountDownLatch(3)
        repeat(3) { report(delivery, "key-a") }
        DeliveryProcess.change { it.withEndpoint(server.url).withBatchSize(2, RecordingLog()) }
        assertTrue(expected.await(120, TimeUnit.SECONDS))
    }

    @Test
    fun `queues of keys that are used no more are deleted after seven days, but none that is in use`() {
        val root = File(folder.root, "branchline-inspector")
        val (forgotten, used) = listOf("key-old", "key-used").map { home(it).claim() }
        listOf(forgotten, used).forEach { it.disk.append("queue", ByteArray(10)) }
        forgotten.release()
        root.listFiles().orEmpty().forEach { it.setLastModified(System.currentTimeMillis() - 8 * DAY) }
        val mine = home("key-new").claim()
        assertEquals(2, root.listFiles().orEmpty().size)
        assertEquals(10, used.disk.read("queue")?.size)
        assertEquals(null, forgotten.disk.read("queue"))
        listOf(used, mine).forEach { it.release() }
        assertFalse(root.walk().any { "key" in it.name })
    }

    @Test
    fun `a place is claimed once, also within one process, and given back`() {
        val first = home("key").claim()
        val second = home("key").claim()
        first.disk.append("queue", ByteArray(1))
        assertEquals(null, second.disk.read("queue"))
        assertTrue(home("key").claimOrphans().isEmpty())
        second.release()
        home("key").claimOrphans().single().release()
        first.release()
    }

    private val reported = mapOf("key-a" to CopyOnWriteArrayList<String>(), "key-b" to CopyOnWriteArrayList())

    private fun report(
        delivery: Delivery,
        key: String,
    ) {
        val id = UUID.randomUUID().toString()
        reported.getValue(key) += id
        delivery.report(TrackedEvent("Event", JvmClock.wallMillis(), mapOf("price" to ServiceEventSchemaType.ServiceInt()), id))
    }

    private fun delivery(
        key: String,
        environment: ServiceInspectorEnv = ServiceInspectorEnv.Prod,
    ) = DeliveryProcess.delivery(sender(key, environment), folder.root, JvmClock, RecordingLog(), observer = null)

    private fun home(key: String) = FolderQueueHome(folder.root, sender(key))

    private fun sender(
        key: String,
        environment: ServiceInspectorEnv = ServiceInspectorEnv.Prod,
    ) = Sender(key, environment, "jvm", FakeApp())

    private companion object {
        const val DAY = 24L * 60 * 60 * 1_000
    }
}
