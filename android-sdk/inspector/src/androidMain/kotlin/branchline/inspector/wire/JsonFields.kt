package branchline.inspector.wire

import org.json.JSONArray
import org.json.JSONException
import org.json.JSONObject

internal actual class JsonFields(
    private val json: JSONObject,
) {
    actual fun string(name: String): String? = json.opt(name) as? String

    actual fun boolean(name: String): Boolean? = json.opt(name) as? Boolean

    actual fun fields(name: String): JsonFields? = json.optJSONObject(name)?.let(::JsonFields)

    actual fun double(name: String): Double? = (json.opt(name) as? Number)?.toDouble()

    actual fun long(name: String): Long? =
        (json.opt(name) as? Number)?.let {
            it.toLong().takeIf { whole ->
                whole.toDouble() ==
                    it.toDouble()
            }
        }

    actual fun int(name: String): Int? = long(name)?.let { it.toInt().takeIf { small -> small.toLong() == it } }

    actual fun <T : Any> list(
        name: String,
        read: (JsonFields) -> T?,
    ): List<T>? {
        val items = json.opt(name) as? JSONArray ?: return null
        val list = ArrayList<T>(items.length())
        for (index in 0 until items.length()) list += items.optJSONObject(index)?.let { read(JsonFields(it)) } ?: return null
        return list
    }

    actual fun strings(name: String): List<String>? {
        val items = json.opt(name) as? JSONArray ?: return null
        val list = ArrayList<String>(items.length())
        for (index in 0 until items.length()) list += items.opt(index) as? String ?: return null
        return list
    }
}

/** The reader of the platform calls itself for each level. */
internal actual fun readJson(text: String): JsonFields? =
    try {
        JsonFields(JSONObject(text))
    } catch (_: JSONException) {
        null
    } catch (_: StackOverflowError) {
        null
    }
