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
            value === JSONObject.NULL -> FlatTypes.NULL
            value is JSONObject -> Members(JsonMembers(value), value.length())
            value is JSONArray -> JsonElements(value)
            value is Uri -> FlatTypes.STRING
            else -> java.read(value)
        }

    /** The elements of an array; its own iterator. */
    @Suppress("IteratorNotThrowingNoSuchElementException") // Extraction asks before.
    private class JsonElements(
        private val array: JSONArray,
    ) : Iterable<Any?>,
        Iterator<Any?> {
        private var read = 0

        override fun iterator(): Iterator<Any?> = this

        override fun hasNext(): Boolean = read < array.length()

        override fun next(): Any? = array.opt(read++)
    }

    /** The properties of an object as entries; its own iterator, and the entry that it is at. */
    @Suppress("IteratorNotThrowingNoSuchElementException") // That of the names does.
    private class JsonMembers(
        private val json: JSONObject,
    ) : Iterable<Map.Entry<String, Any?>>,
        Iterator<Map.Entry<String, Any?>>,
        Map.Entry<String, Any?> {
        private var names = json.keys()

        override var key: String = ""
            private set

        override val value: Any? get() = json.opt(key)

        override fun iterator(): Iterator<Map.Entry<String, Any?>> {
            names = json.keys()
            return this
        }

        override fun hasNext(): Boolean = names.hasNext()

        override fun next(): Map.Entry<String, Any?> {
            key = names.next()
            return this
        }
    }
}
