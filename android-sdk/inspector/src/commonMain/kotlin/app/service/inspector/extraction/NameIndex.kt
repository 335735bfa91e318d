package app.service.inspector.extraction

/** Finds names by their hash: each has the slot that its hash says, or the next that was free. */
internal class NameIndex(
    private val names: Array<String?>,
) {
    /** The position of a name, counted from 1; 0 where there is none. At most half are taken. */
    private val slots = IntArray(2 * names.size.takeHighestOneBit() * 2)

    init {
        for (position in names.indices) if (names[position] != null) add(position)
    }

    /** Takes in the name at a position; there is no other that equals it. */
    fun add(position: Int) {
        slots[slotOf(names[position])] = position + 1
    }

    /** Negative where there is no such name. */
    fun positionOf(name: String): Int = slots[slotOf(name)] - 1

    private fun slotOf(name: String?): Int {
        val last = slots.size - 1
        val hash = name.hashCode()
        var slot = (hash xor (hash ushr HALF)) and last
        while (slots[slot] != 0 && names[slots[slot] - 1] != name) slot = (slot + 1) and last
        return slot
    }

    private companion object {
        /** The upper bits of a hash count too. */
        const val HALF = 16
    }
}
