package branchline.inspector.vectors

/** Values of which something fails. */
internal object Faults {
    fun of(what: String): Any =
        when (what) {
            "iterator" -> Unreadable
            "map" -> UnreadableMap
            "text" -> UnreadableText
            "toString" -> Mute()
            else -> error("The vectors have a fault that this runner does not know: $what")
        }

    private fun fail(): Nothing = error("as asked for")

    private object Unreadable : AbstractList<Any?>() {
        override val size: Int get() = fail()

        override fun get(index: Int): Any = fail()
    }

    private object UnreadableMap : AbstractMap<Any?, Any?>() {
        override val entries: Set<Map.Entry<Any?, Any?>> get() = fail()
    }

    private object UnreadableText : CharSequence {
        override val length: Int get() = fail()

        override fun get(index: Int): Char = fail()

        override fun subSequence(
            startIndex: Int,
            endIndex: Int,
        ): CharSequence = fail()

        override fun toString(): String = fail()
    }

    private class Mute {
        override fun toString(): String = fail()
    }
}
