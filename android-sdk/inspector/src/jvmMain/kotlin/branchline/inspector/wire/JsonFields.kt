package branchline.inspector.wire

internal actual class JsonFields(
    private val fields: Map<String, Any?>,
) {
    actual fun string(name: String): String? = fields[name] as? String

    actual fun boolean(name: String): Boolean? = fields[name] as? Boolean

    actual fun fields(name: String): JsonFields? = fields[name] as? JsonFields

    actual fun double(name: String): Double? = (fields[name] as? Number)?.toDouble()

    actual fun long(name: String): Long? = fields[name] as? Long

    actual fun int(name: String): Int? = long(name)?.takeIf { it in Int.MIN_VALUE..Int.MAX_VALUE }?.toInt()

    actual fun <T : Any> list(
        name: String,
        read: (JsonFields) -> T?,
    ): List<T>? {
        val items = fields[name] as? List<*> ?: return null
        return items.map { (it as? JsonFields)?.let(read) ?: return null }
    }

    actual fun strings(name: String): List<String>? {
        val items = fields[name] as? List<*> ?: return null
        return items.map { it as? String ?: return null }
    }
}

internal actual fun readJson(text: String): JsonFields? = JsonReader.read(text)
