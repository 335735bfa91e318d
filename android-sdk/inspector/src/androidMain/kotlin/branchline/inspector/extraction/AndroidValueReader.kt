package branchline.inspector.extraction

import android.net.Uri
import org.json.JSONArray
import org.json.JSONObject

/** Reads the classes of Android, and leaves the rest to [java]. */
internal class AndroidValueReader(
    private val java: ValueReader,
) : ValueReader {
    override fun read(value: Any): Reading =
        when {
            value === JSONObject.NULL -> JavaValueReader.NULL
            value is JSONObject -> Reading.Members(JsonMembers(value), value.length())
            value is JSONArray -> Reading.Elements(JsonElements(value))
            value is Uri -> JavaValueReader.STRING
            else -> java.read(value)
        }

    private class JsonElements(
        private val array: JSONArray,
    ) : AbstractList<Any?>() {
        override val size: Int get() = array.length()

        override fun get(index: Int): Any? = array.opt(index)
    }

    private class JsonMembers(
        private val json: JSONObject,
    ) : Iterable<Map.Entry<String, Any?>> {
        override fun iterator(): Iterator<Map.Entry<String, Any?>> = JsonMember(json, json.keys())
    }

    /** The entry that the iterator is at, and the iterator itself. */
    @Suppress("IteratorNotThrowingNoSuchElementException") // That of the names does.
    private class JsonMember(
        private val json: JSONObject,
        private val names: Iterator<String>,
    ) : Iterator<Map.Entry<String, Any?>>,
        Map.Entry<String, Any?> {
        override var key: String = ""
            private set

        override val value: Any? get() = json.opt(key)

        override fun hasNext(): Boolean = names.hasNext()

        override fun next(): Map.Entry<String, Any?> = apply { key = names.next() }
    }
}
