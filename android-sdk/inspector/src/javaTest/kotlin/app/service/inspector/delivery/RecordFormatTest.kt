package app.service.inspector.delivery

import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import java.util.zip.CRC32
import kotlin.random.Random

class RecordFormatTest {
    private val payloads = listOf("first", "", "zwölf 🐟 \"{}\"\n", "x".repeat(300), "last")
    private val records = payloads.map { RecordFormat.encode(it) }
    private val file = records.reduce { all, record -> all + record }

    @Test
    fun `the checksum is the CRC-32 that others compute`() {
        repeat(100) { seed ->
            val bytes = Random(seed).nextBytes(seed)
            assertEquals(CRC32().apply { update(bytes) }.value.toInt(), Crc32.of(bytes, 0, bytes.size))
        }
    }

    @Test
    fun `what was encoded is decoded`() {
        val decoded = RecordFormat.decode(file)
        assertEquals(payloads, decoded.payloads)
        assertEquals(0, decoded.damagedStretches)
    }

    @Test
    fun `a flipped byte costs its record and no other`() {
        for (at in file.indices) {
            for (flip in listOf(0x01, 0x80, 0xFF)) {
                val damaged = file.copyOf().also { it[at] = (it[at].toInt() xor flip).toByte() }
                val decoded = RecordFormat.decode(damaged)
                assertEquals("byte $at", payloads - setOf(payloads[recordAt(at)]), decoded.payloads)
                assertEquals("byte $at", 1, decoded.damagedStretches)
            }
        }
    }

    @Test
    fun `a file cut at any length keeps the records before the cut, and takes further ones`() {
        val further = RecordFormat.encode("further")
        for (length in 0..file.size) {
            val whole = payloads.take(ends().count { it <= length })
            assertEquals("length $length", whole + "further", RecordFormat.decode(file.copyOf(length) + further).payloads)
        }
    }

    @Test
    fun `foreign bytes between records cost nothing`() {
        val random = Random(7)
        val noisy = records.fold(ByteArray(0)) { all, record -> all + random.nextBytes(random.nextInt(40)) + record }
        assertEquals(payloads, RecordFormat.decode(noisy).payloads)
    }

    @Test
    fun `random bytes are read without harm`() {
        repeat(200) { seed -> assertTrue(RecordFormat.decode(Random(seed).nextBytes(500)).payloads.isEmpty()) }
    }

    private fun ends() = records.runningFold(0) { end, record -> end + record.size }.drop(1)

    private fun recordAt(byte: Int) = ends().indexOfFirst { byte < it }
}
