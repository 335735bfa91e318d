package branchline.inspector.vectors

import com.google.gson.JsonArray
import com.google.gson.JsonElement
import com.google.gson.JsonObject
import java.math.BigDecimal
import java.math.BigInteger
import java.net.URI
import java.time.Instant
import java.util.Date
import java.util.UUID

/** Makes the values that typed JSON stands for; its format is documented in `conformance/library/vectors/README.md`. */
internal class TypedJson {
    /** The containers that are being filled, the outermost first: what a `cycle` leads back to. */
    private val open = ArrayList<Any>()
    private var shared = emptyMap<String, Any?>()

    fun valueOf(json: JsonObject): Any? {
        if (!json.has("let")) return value(json)
        shared = json.getAsJsonObject("let").entrySet().associate { (name, made) -> name to value(made.asJsonObject) }
        return value(json.getAsJsonObject("in"))
    }

    private fun value(json: JsonObject): Any? {
        val (kind, given) = json.entrySet().single()
        return when (kind) {
            "null" -> null
            "boolean" -> given.asBoolean
            "cycle" -> open[open.size - given.asInt]
            "same" -> shared.getValue(given.asString)
            "list" -> filling(ArrayList<Any?>()) { it.addAll(elements(given.asJsonArray)) }
            "set" -> LinkedHashSet(elements(given.asJsonArray))
            "iterable" -> Walkable(elements(given.asJsonArray))
            "array" -> arrayOf(given.asJsonObject)
            "map" -> filling(LinkedHashMap<Any?, Any?>()) { put(given.asJsonArray, it) }
            "object" -> Objects.make(given.asJsonObject) { made, set -> filling(made) { set(::value) } }
            "nested" -> nested(given.asJsonObject)
            "text" -> given.asJsonObject.run { get("character").asString.repeat(get("times").asInt) }
            "throws" -> Faults.of(given.asString)
            else -> scalar(kind, given.asString)
        }
    }

    private fun scalar(
        kind: String,
        text: String,
    ): Any =
        when (kind) {
            "byte" -> text.toByte()
            "short" -> text.toShort()
            "int" -> text.toInt()
            "long" -> text.toLong()
            "bigint" -> BigInteger(text)
            "float" -> text.toFloat()
            "double" -> text.toDouble()
            "decimal" -> BigDecimal(text)
            "string" -> text
            "char" -> text.single()
            "enum" -> Colour.valueOf(text)
            "builder" -> StringBuilder(text)
            "uuid" -> UUID.fromString(text)
            "date" -> Date.from(Instant.parse(text))
            "instant" -> Instant.parse(text)
            "uri" -> URI(text)
            else -> error("The vectors have a kind that this runner does not know: $kind")
        }

    private fun <T : Any> filling(
        container: T,
        fill: (T) -> Unit,
    ): T {
        open += container
        fill(container)
        open.removeLast()
        return container
    }

    private fun elements(json: JsonArray): List<Any?> =
        json.flatMap { element ->
            val repeat = element.asJsonObject.getAsJsonObject("repeat")
            if (repeat == null) {
                listOf(value(element.asJsonObject))
            } else {
                List(repeat.get("times").asInt) { value(repeat.getAsJsonObject("value")) }
            }
        }

    private fun put(
        pairs: JsonArray,
        into: MutableMap<Any?, Any?>,
    ) {
        for (pair in pairs) {
            if (pair.isJsonArray) {
                into[value(pair.asJsonArray[0].asJsonObject)] = value(pair.asJsonArray[1].asJsonObject)
            } else {
                val entries = pair.asJsonObject.getAsJsonObject("entries")
                repeat(entries.get("times").asInt) { into[entries.get("prefix").asString + it] = value(entries.getAsJsonObject("value")) }
            }
        }
    }

    private fun nested(json: JsonObject): Any? {
        val key = json.get("key").asString
        return (1..json.get("times").asInt).fold(value(json.getAsJsonObject("value"))) { inner, _ -> mapOf(key to inner) }
    }

    private fun arrayOf(json: JsonObject): Any {
        val values = json.getAsJsonArray("values").toList()
        val texts = { values.map { it.takeUnless(JsonElement::isJsonNull)?.asString } }
        val known = { texts().filterNotNull() }
        return when (val of = json.get("of").asString) {
            "byte" -> {
                known().map(String::toByte).toByteArray()
            }

            "short" -> {
                known().map(String::toShort).toShortArray()
            }

            "int" -> {
                known().map(String::toInt).toIntArray()
            }

            "long" -> {
                known().map(String::toLong).toLongArray()
            }

            "float" -> {
                known().map(String::toFloat).toFloatArray()
            }

            "double" -> {
                known().map(String::toDouble).toDoubleArray()
            }

            "boolean" -> {
                known().map(String::toBoolean).toBooleanArray()
            }

            "char" -> {
                known().map(String::single).toCharArray()
            }

            "Long" -> {
                texts().map { it?.toLong() }.toTypedArray()
            }

            "String" -> {
                texts().toTypedArray()
            }

            "Object" -> {
                filling(arrayOfNulls<Any?>(values.size)) { array ->
                    values.forEachIndexed { at, element -> array[at] = value(element.asJsonObject) }
                }
            }

            else -> {
                error("The vectors have an array that this runner does not know: $of")
            }
        }
    }

    private enum class Colour { RED }

    /** Can be walked through, and is no collection. */
    private class Walkable(
        private val elements: List<Any?>,
    ) : Iterable<Any?> {
        override fun iterator() = elements.iterator()
    }
}
