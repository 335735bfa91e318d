package branchline.inspector.wire

import branchline.inspector.extraction.PropertyName

/** Writes JSON (RFC 8259) without white space. Its calls follow the text: [name] before each value of an object. */
internal class JsonWriter {
    private val text = StringBuilder()
    private var needsComma = false

    /** An object; [fields] writes what is in it. */
    inline fun obj(fields: () -> Unit) {
        open('{')
        fields()
        close('}')
    }

    /** An array of what [write] makes of each of [items]. */
    inline fun <T> array(
        items: List<T>,
        write: (T) -> Unit,
    ) {
        open('[')
        items.forEach(write)
        close(']')
    }

    fun name(name: String) {
        separate()
        quote(name)
        text.append(':')
        needsComma = false
    }

    fun value(value: String) {
        separate()
        quote(value)
    }

    fun value(value: Int): Unit = literal(value.toString())

    fun value(value: Long): Unit = literal(value.toString())

    fun value(value: Boolean): Unit = literal(value.toString())

    /** JSON has no infinity and no NaN; they become null. */
    fun value(value: Double): Unit = if (value.isFinite()) literal(value.toString()) else nothing()

    /** The value null. */
    fun nothing(): Unit = literal("null")

    fun open(bracket: Char) {
        separate()
        text.append(bracket)
        needsComma = false
    }

    fun close(bracket: Char) {
        text.append(bracket)
        needsComma = true
    }

    private fun literal(literal: String) {
        separate()
        text.append(literal)
    }

    private fun separate() {
        if (needsComma) text.append(',')
        needsComma = true
    }

    private fun quote(string: String) {
        text.append('"')
        for (index in string.indices) {
            val char = string[index]
            when {
                char == '"' || char == '\\' -> text.append('\\').append(char)
                char < ' ' || !PropertyName.isSound(string, index) -> escape(char)
                else -> text.append(char)
            }
        }
        text.append('"')
    }

    private fun escape(char: Char) {
        // One digit more than there may be, for the zeros before the others.
        text.append("\\u").append((char.code + ABOVE_ALL).toString(HEXADECIMAL), 1, ESCAPE_END)
    }

    override fun toString(): String = text.toString()

    private companion object {
        const val HEXADECIMAL = 16
        const val ABOVE_ALL = 0x10000
        const val ESCAPE_END = 5
    }
}
