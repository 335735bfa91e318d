package branchline.inspector.wire

import com.google.gson.JsonObject
import com.google.gson.JsonParser
import org.junit.Assert.assertEquals
import org.junit.Test
import kotlin.random.Random

internal class JsonWriterTest {
    @Test
    fun `what must be escaped is, and nothing else`() {
        val written =
            mapOf(
                "" to "\"\"",
                "a \"quote\" and a \\" to "\"a \\\"quote\\\" and a \\\\\"",
                "\u0000\t\n\u001f\u007f" to "\"\\u0000\\u0009\\u000a\\u001f\u007f\"",
                "Zoë 🚂 / \u2028" to "\"Zoë 🚂 / \u2028\"",
                "\ud83d" to "\"\\ud83d\"",
                "\ude82\ud83d" to "\"\\ude82\\ud83d\"",
                "a\ud83d b" to "\"a\\ud83d b\"",
            )
        for ((text, json) in written) assertEquals(json, JsonWriter().also { it.value(text) }.toString())
    }

    @Test
    fun `any text survives UTF-8 and another reader`() {
        val random = Random(1)
        repeat(2_000) {
            val text = String(CharArray(random.nextInt(20)) { anyChar(random) })
            val json = JsonWriter().also { writer -> writer.obj { pair(writer, text) } }.toString()
            val read = JsonParser.parseString(json.encodeToByteArray().decodeToString()) as JsonObject
            assertEquals(text, read[text].asString)
        }
    }

    @Test
    fun `commas stand between, never before or after`() {
        val json = JsonWriter()
        json.obj {
            json.name("none")
            json.array(emptyList<Int>()) { json.value(it) }
            json.name("some")
            json.array(listOf(1, 2)) { json.value(it) }
            json.name("inner")
            json.obj { }
            json.name("rest")
            json.array(listOf(true, false)) { json.obj { pair(json, "$it") } }
            json.name("long")
            json.value(Long.MIN_VALUE)
            json.name("nothing")
            json.nothing()
        }
        val expected =
            """{"none":[],"some":[1,2],"inner":{},"rest":[{"true":"true"},{"false":"false"}],""" +
                """"long":-9223372036854775808,"nothing":null}"""
        assertEquals(expected, json.toString())
    }

    @Test
    fun `numbers that JSON does not have become null`() {
        val numbers = listOf(0.25, 1e300, Double.NaN, Double.POSITIVE_INFINITY)
        assertEquals("[0.25,1.0E300,null,null]", JsonWriter().also { json -> json.array(numbers) { json.value(it) } }.toString())
    }

    private fun pair(
        json: JsonWriter,
        text: String,
    ) {
        json.name(text)
        json.value(text)
    }

    /** Often one that is special: a control character, a quote, half of a pair. */
    private fun anyChar(random: Random): Char =
        when (random.nextInt(4)) {
            0 -> "\"\\/\u0000\u001f\n\u2028"[random.nextInt(7)]
            1 -> Char(0xd800 + random.nextInt(0x800))
            else -> Char(random.nextInt(0x10000))
        }
}
