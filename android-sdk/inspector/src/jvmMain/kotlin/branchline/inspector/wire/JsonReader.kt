package branchline.inspector.wire

/**
 * Reads JSON (RFC 8259) of bounded size and depth into [JsonFields], [List], [String], [Long], [Double], [Boolean] and null.
 *
 * It never throws: what can't be read is null as a whole.
 */
internal class JsonReader private constructor(
    private val text: String,
) {
    private var at = 0

    private fun document(): JsonFields? {
        val value = value(0)
        skipSpace()
        if (at != text.length) fail()
        return value as? JsonFields
    }

    private fun value(depth: Int): Any? {
        if (depth > MAX_DEPTH) fail()
        skipSpace()
        return when (peek()) {
            '{' -> fields(depth)
            '[' -> list(depth)
            '"' -> string()
            't' -> literal("true", true)
            'f' -> literal("false", false)
            'n' -> literal("null", null)
            else -> number()
        }
    }

    private fun fields(depth: Int): JsonFields {
        val fields = mutableMapOf<String, Any?>()
        separated('}') {
            skipSpace()
            val name = string()
            skipSpace()
            expect(':')
            fields[name] = value(depth + 1)
        }
        return JsonFields(fields)
    }

    private fun list(depth: Int): List<Any?> {
        val items = mutableListOf<Any?>()
        separated(']') { items += value(depth + 1) }
        return items
    }

    private inline fun separated(
        end: Char,
        element: () -> Unit,
    ) {
        at++
        skipSpace()
        if (taken(end)) return
        do {
            element()
            skipSpace()
        } while (taken(','))
        expect(end)
    }

    private fun string(): String {
        expect('"')
        val string = StringBuilder()
        while (true) {
            when (val char = next()) {
                '"' -> return string.toString()
                '\\' -> string.append(escaped())
                else -> if (char < ' ') fail() else string.append(char)
            }
        }
    }

    private fun escaped(): Char =
        when (val char = next()) {
            '"', '\\', '/' -> char
            'b' -> '\b'
            'f' -> '\u000C'
            'n' -> '\n'
            'r' -> '\r'
            't' -> '\t'
            'u' -> codeUnit()
            else -> fail()
        }

    private fun codeUnit(): Char {
        val digits = CharArray(ESCAPE_DIGITS) { next() }.concatToString()
        if (!digits.all { it in '0'..'9' || it in 'a'..'f' || it in 'A'..'F' }) fail()
        return digits.toInt(HEXADECIMAL).toChar()
    }

    /** A [Long] where it is whole: 1, 1.0 and 1e0 are the same number. */
    private fun number(): Number {
        val digits = NUMBER.matchAt(text, at)?.value ?: fail()
        at += digits.length
        digits.toLongOrNull()?.let { return it }
        val number = digits.toDouble()
        return number.toLong().takeIf { it.toDouble() == number } ?: number
    }

    private fun <T> literal(
        literal: String,
        value: T,
    ): T {
        literal.forEach(::expect)
        return value
    }

    private fun skipSpace() {
        while (peek() in " \t\n\r") at++
    }

    private fun taken(char: Char): Boolean = (peek() == char).also { if (it) at++ }

    private fun expect(char: Char) {
        if (next() != char) fail()
    }

    private fun next(): Char = peek().also { at++ }

    /** U+0000 past the end; inside JSON it stands nowhere. */
    private fun peek(): Char = text.getOrElse(at) { '\u0000' }

    private fun fail(): Nothing = throw Unreadable()

    private class Unreadable : Exception()

    internal companion object {
        private const val MAX_LENGTH = 1 shl 20
        private const val MAX_DEPTH = 16
        private const val HEXADECIMAL = 16
        private const val ESCAPE_DIGITS = 4
        private val NUMBER = Regex("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")

        /** The object that [text] is; null where it is none, is longer than 1,048,576 characters or nested deeper than 16. */
        fun read(text: String): JsonFields? {
            if (text.length > MAX_LENGTH) return null
            return try {
                JsonReader(text).document()
            } catch (_: Unreadable) {
                null
            }
        }
    }
}
