package app.service.inspector.extraction

import java.lang.reflect.Field

/** The fields of an object as entries; each is read when it is asked for its value. */
internal class FieldEntries(
    private val owner: Any,
    private val fields: List<Field>,
) : AbstractList<Map.Entry<String, Any?>>() {
    override val size: Int get() = fields.size

    override fun get(index: Int): Map.Entry<String, Any?> = FieldEntry(owner, fields[index])

    private class FieldEntry(
        private val owner: Any,
        private val source: Field,
    ) : Map.Entry<String, Any?> {
        override val key: String get() = source.name

        override val value: Any? get() = source.get(owner)
    }
}
