package branchline.inspector.extraction

import java.lang.reflect.Field

/** The fields of an object as entries; each is read when it is asked for its value. It is its own iterator, and the entry that it is at. */
internal class FieldEntries(
    private val owner: Any,
    private val fields: List<Field>,
) : Iterable<Map.Entry<String, Any?>>,
    Iterator<Map.Entry<String, Any?>>,
    Map.Entry<String, Any?> {
    private var read = 0

    override val key: String get() = fields[read - 1].name

    override val value: Any? get() = fields[read - 1].get(owner)

    override fun iterator(): Iterator<Map.Entry<String, Any?>> {
        read = 0
        return this
    }

    override fun hasNext(): Boolean = read < fields.size

    override fun next(): Map.Entry<String, Any?> {
        if (!hasNext()) throw NoSuchElementException()
        read++
        return this
    }
}
