package branchline.inspector.queue

import branchline.inspector.platform.checksum
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.io.File
import java.util.zip.CRC32
import kotlin.random.Random

class JournalTest {
    @get:Rule
    val folder = TemporaryFolder()

    private val disk by lazy { FolderDisk(folder.root) }
    private val journal by lazy { Journal(disk) }
    private val file by lazy { File(folder.root, "queue") }
    private val events = listOf("{}", "{\"zwölf\":\"🐟 \\u000a\"}", "{" + "x".repeat(300) + "}", "{\"last\":1}").mapIndexed(::event)

    @Test
    fun `the checksum is the CRC-32 that others compute`() {
        val text = "zwölf 🐟"
        assertEquals(CRC32().apply { update(text.encodeToByteArray()) }.value, checksum(text))
        assertEquals(0xCBF43926L, checksum("123456789"))
    }

    @Test
    fun `what was written is read`() {
        journal.append(Journal.linesOf(events))
        journal.append(Journal.lineOfBatch("batch", events.take(2)))
        val content = Journal(disk).load()
        assertEquals(events.map(::text), content.events.map(::text))
        assertEquals(listOf("batch", "id-0", "id-1"), content.batch)
        assertEquals(0, content.damagedLines)
    }

    @Test
    fun `a flipped byte costs its line and no other`() {
        val ends = events.map { journal.append(Journal.linesOf(listOf(it))).let { file.length() } }
        val sound = file.readBytes()
        for (at in sound.indices) {
            for (flip in listOf(0x01, 0x03, 0x80, 0xFF)) {
                file.writeBytes(sound.copyOf().also { it[at] = (it[at].toInt() xor flip).toByte() })
                val content = Journal(disk).load()
                val hit = ends.indexOfFirst { at < it }
                val kept = content.events.map { it.messageId }
                assertEquals("byte $at", emptyList<String>(), events.map { it.messageId } - kept.toSet() - "id-$hit")
                assertTrue("byte $at", content.damagedLines <= 2 && content.events.all { text(it) in events.map(::text) })
            }
        }
    }

    @Test
    fun `a file cut at any length keeps the lines before the cut, and takes further ones`() {
        val ends = events.map { journal.append(Journal.linesOf(listOf(it))).let { file.length() } }
        val sound = file.readBytes()
        val further = event(9, "{}")
        for (length in 0..sound.size) {
            file.writeBytes(sound.copyOf(length))
            Journal(disk).append(Journal.linesOf(listOf(further)))
            // The break at the end of a line says nothing that its checksum does not.
            val whole = events.take(ends.count { it - 1 <= length })
            assertEquals("length $length", (whole + further).map(::text), Journal(disk).load().events.map(::text))
        }
    }

    @Test
    fun `random bytes are read without harm, and cost nothing beside them`() {
        repeat(200) { seed ->
            file.writeBytes(Random(seed).nextBytes(500))
            journal.append(Journal.linesOf(events))
            assertEquals(events.map(::text), Journal(disk).load().events.map(::text))
        }
    }

    private fun event(
        number: Int,
        json: String,
    ) = QueuedEvent("id-$number", 1_767_323_045_678L, "1.0.0 (beta)", json)

    private fun text(event: QueuedEvent) = event.run { "$messageId $observedAtMillis $appVersion $json" }
}
