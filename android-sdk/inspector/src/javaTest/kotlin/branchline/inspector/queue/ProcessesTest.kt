package branchline.inspector.queue

import branchline.inspector.support.ChildProcess
import branchline.inspector.support.ScriptedServer
import branchline.inspector.support.SentBatch
import branchline.inspector.transport.TransportRequest
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

class ProcessesTest {
    @get:Rule
    val folder = TemporaryFolder()

    private val children = ArrayList<ChildProcess>()
    private val received = CopyOnWriteArrayList<String>()
    private var expected = CountDownLatch(0)
    private val server =
        ScriptedServer { request, out ->
            val batch = SentBatch(TransportRequest("", "", request.body.encodeToByteArray()))
            received += batch.messageIds
            out.write(ScriptedServer.response("200 OK", batch.receipt().body.orEmpty()).toByteArray())
            repeat(batch.messageIds.size) { expected.countDown() }
        }

    @After
    fun close() {
        children.forEach { it.close() }
        server.close()
    }

    @Test(timeout = 300_000)
    fun `events that were on disk when the process was killed are sent by the next`() {
        val child = child()
        val ids = (1..20).flatMap { child.track(1).also(::awaitOnDisk) }
        child.kill()
        assertEquals(emptyList<String>(), received.toList())
        expected = CountDownLatch(ids.size)
        child()
        assertTrue(expected.await(120, TimeUnit.SECONDS))
        assertEquals(ids, received.toList())
    }

    @Test(timeout = 300_000)
    fun `two processes lose nothing and send nothing twice, though one is killed`() {
        val first = child()
        val second = child()
        val ids = (1..20).flatMap { first.track(7) + second.track(5) }
        awaitOnDisk(ids)
        second.kill()
        first.kill()
        expected = CountDownLatch(ids.size)
        child()
        assertTrue(expected.await(120, TimeUnit.SECONDS))
        assertEquals(ids.sorted(), received.sorted())
    }

    @Test(timeout = 300_000)
    fun `two processes that send at the same time send each event once`() {
        expected = CountDownLatch(400)
        val first = child(batchSize = 10)
        val second = child(batchSize = 10)
        val ids = (1..20).flatMap { first.track(10) + second.track(10) }
        assertTrue(expected.await(120, TimeUnit.SECONDS))
        assertEquals(ids.sorted(), received.sorted())
    }

    private fun child(batchSize: Int = 1_000) = ChildProcess(folder.root, server.url, batchSize).also(children::add)

    /** The fastest counts: this machine may have other work, but then not each time. */
    @Test(timeout = 300_000)
    fun `an event is on disk within a hundred milliseconds`() {
        val child = child()
        child.track(1).let(::awaitOnDisk)
        val millis = ArrayList<Long>()
        while (millis.size < 200 && millis.none { it < 100 }) millis += child.track(1).let(::awaitOnDisk)
        assertTrue("$millis", millis.min() < 100)
    }

    /** Looks until they are there; answers after how many milliseconds. */
    private fun awaitOnDisk(ids: List<String>): Long {
        val start = System.nanoTime()
        // Leaves the processor, which may be the only one, to the child.
        while (!stored().let { text -> ids.all { it in text } }) Thread.sleep(1)
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)
    }

    private fun stored() =
        folder.root
            .walk()
            .filter { it.name == "queue" }
            .joinToString { it.readText() }
}
