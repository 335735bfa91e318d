package branchline.inspector.wire

/** The fields of a JSON object. What is not there, or of another type, is null. */
internal expect class JsonFields {
    fun string(name: String): String?

    fun boolean(name: String): Boolean?

    fun fields(name: String): JsonFields?

    fun double(name: String): Double?

    fun long(name: String): Long?

    fun int(name: String): Int?

    /** Null also where [read] can't take one of the items. */
    fun <T : Any> list(
        name: String,
        read: (JsonFields) -> T?,
    ): List<T>?

    /** Null also where one of the items is no text. */
    fun strings(name: String): List<String>?
}

/** The object that [text] is; null where it is none, or is nested too deep to be read. */
internal expect fun readJson(text: String): JsonFields?
