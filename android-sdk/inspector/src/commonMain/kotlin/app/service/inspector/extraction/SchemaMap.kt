package app.service.inspector.extraction

import app.service.inspector.ServiceEventSchemaType

/**
 * The types of properties by name, in the order in which they came; in less than half the room of a hash map. Who makes it calls [add];
 * after that it is only read, by Java too.
 *
 * @param expected the number of properties, as far as it is known
 */
internal class SchemaMap(
    expected: Int,
) : AbstractMap<String, ServiceEventSchemaType>() {
    private var names = arrayOfNulls<String>(maxOf(expected, 1))
    private var types = arrayOfNulls<ServiceEventSchemaType>(names.size)
    private var index = indexOf(names)

    override var size: Int = 0
        private set

    override val entries: Set<Map.Entry<String, ServiceEventSchemaType>> get() = Entries()

    override fun containsKey(key: String): Boolean = positionOf(key) >= 0

    override fun get(key: String): ServiceEventSchemaType? = positionOf(key).let { if (it < 0) null else types[it] }

    /** False when there is a property of this name already, which stays as it is. */
    fun add(
        name: String,
        type: ServiceEventSchemaType,
    ): Boolean {
        if (positionOf(name) >= 0) return false
        if (size == names.size) grow()
        names[size] = name
        types[size] = type
        index?.add(size)
        size++
        return true
    }

    private fun positionOf(name: String): Int {
        index?.let { return it.positionOf(name) }
        val hash = name.hashCode()
        for (position in 0 until size) if (names[position].hashCode() == hash && names[position] == name) return position
        return -1
    }

    private fun grow() {
        names = names.copyOf(2 * size)
        types = types.copyOf(2 * size)
        index = indexOf(names)
    }

    private inner class Entries : AbstractSet<Map.Entry<String, ServiceEventSchemaType>>() {
        override val size: Int get() = this@SchemaMap.size

        override fun iterator(): Iterator<Map.Entry<String, ServiceEventSchemaType>> = EntryIterator()
    }

    private inner class EntryIterator : Iterator<Map.Entry<String, ServiceEventSchemaType>> {
        private var next = 0

        override fun hasNext(): Boolean = next < size

        override fun next(): Map.Entry<String, ServiceEventSchemaType> {
            val name = names.getOrNull(next)
            val type = types.getOrNull(next++)
            if (name == null || type == null) throw NoSuchElementException()
            return Entry(name, type)
        }
    }

    private class Entry(
        override val key: String,
        override val value: ServiceEventSchemaType,
    ) : Map.Entry<String, ServiceEventSchemaType> {
        override fun equals(other: Any?): Boolean = other is Map.Entry<*, *> && other.key == key && other.value == value

        override fun hashCode(): Int = key.hashCode() xor value.hashCode()

        override fun toString(): String = "$key=$value"
    }

    private companion object {
        /** So many names are quicker compared than looked up. */
        const val FEW = 16

        fun indexOf(names: Array<String?>): NameIndex? = if (names.size > FEW) NameIndex(names) else null
    }
}
