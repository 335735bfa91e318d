package branchline.inspector.wire

import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Test
import kotlin.random.Random

internal class JsonReaderTest {
    @Test
    fun `a receipt is read, whatever else it holds`() {
        val rejected = """{"index":3,"messageId":null,"reason":"a \"b\" \u00e9\ud83d\ude82\/","later":{"x":[true,false,null,-1.5e2]}}"""
        val text = " {\n\t\"accepted\": 7, \"duplicates\": 1.0, \"rejected\": [ $rejected ] , \"samplingRate\": 0.5, \"new\": {} }\r\n"
        val reason = "a \"b\" é🚂/"
        val receipt = checkNotNull(BatchReceipt.read(text))
        assertEquals(listOf(7, 1, 0.5), listOf(receipt.accepted, receipt.duplicates, receipt.samplingRate))
        assertEquals(listOf(3, null, reason), receipt.rejected.single().run { listOf(index, messageId, this.reason) })
    }

    @Test
    fun `a receipt that lacks something, or has it of another type, is none`() {
        val receipts =
            listOf(
                """{"duplicates":0,"rejected":[],"samplingRate":1}""",
                """{"accepted":null,"duplicates":0,"rejected":[],"samplingRate":1}""",
                """{"accepted":"1","duplicates":0,"rejected":[],"samplingRate":1}""",
                """{"accepted":1.5,"duplicates":0,"rejected":[],"samplingRate":1}""",
                """{"accepted":3000000000,"duplicates":0,"rejected":[],"samplingRate":1}""",
                """{"accepted":1,"duplicates":0,"rejected":{},"samplingRate":1}""",
                """{"accepted":1,"duplicates":0,"rejected":[1],"samplingRate":1}""",
                """{"accepted":1,"duplicates":0,"rejected":[{"index":0}],"samplingRate":1}""",
                """{"accepted":1,"duplicates":0,"rejected":[],"samplingRate":true}""",
            )
        for (receipt in receipts) {
            assertNotNull(receipt, JsonReader.read(receipt))
            assertNull(receipt, BatchReceipt.read(receipt))
        }
    }

    @Test
    fun `what is no JSON object is nothing`() {
        val texts = listOf("", " ", "1", "\"a\"", "[]", "null", "{", "{}x", "{}{}", "{\"a\"}", "{\"a\":1,}", "{,}", "{a:1}", "{'a':1}")
        val numbers = listOf("", "01", "+1", "1.", ".5", "1e", "-", "NaN", "0x1")
        val others = listOf("tru", "nulls", "[1,]", "[1 2]", "\"\\x\"", "\"\\u00g0\"", "\"\\u+123\"", "\"a\nb\"", "\"a", "\"\\", "\u00a01")
        for (text in texts + (numbers + others).map { "{\"a\":$it}" }) assertNull(text, JsonReader.read(text))
    }

    @Test
    fun `what is too deep or too long is nothing`() {
        assertNotNull(JsonReader.read(nested(16)))
        assertNull(JsonReader.read(nested(17)))
        assertNull(JsonReader.read(nested(30_000)))
        assertNotNull(JsonReader.read("{}".padEnd(1_048_576)))
        assertNull(JsonReader.read("{}".padEnd(1_048_577)))
    }

    @Test
    fun `damage never throws`() {
        val random = Random(2)
        val receipt = """{"accepted":7,"duplicates":1,"rejected":[{"index":3,"messageId":null,"reason":"\u00e9\n"}],"samplingRate":0.5}"""
        repeat(20_000) {
            val damaged = StringBuilder(receipt)
            repeat(1 + random.nextInt(3)) { damaged[random.nextInt(damaged.length)] = Char(random.nextInt(128)) }
            damaged.setLength(random.nextInt(damaged.length + 1))
            BatchReceipt.read(damaged.toString())
        }
        for (end in receipt.indices) assertNull(JsonReader.read(receipt.substring(0, end)))
    }

    @Test
    fun `numbers are what they say`() {
        val json = JsonReader.read("""{"whole":12,"point":12.0,"power":12e0,"large":9007199254740993,"huge":1e400,"part":0.1}""")
        assertEquals(listOf(12L, 12L, 12L, 9007199254740993L, null, null), names.map { json?.long(it) })
        assertEquals(listOf(12.0, 12.0, 12.0, 9007199254740992.0, Double.POSITIVE_INFINITY, 0.1), names.map { json?.double(it) })
    }

    private val names = listOf("whole", "point", "power", "large", "huge", "part")

    private fun nested(depth: Int) = "{\"a\":" + "[".repeat(depth - 1) + "1" + "]".repeat(depth - 1) + "}"
}
