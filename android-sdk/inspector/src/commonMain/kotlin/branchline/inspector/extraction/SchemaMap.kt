package branchline.inspector.extraction

import app.service.inspector.ServiceEventSchemaType

/**
 * The types of properties by name, in the order in which they came; in less than half the room of a hash map. Who makes it calls [add];
 * after that it is only read, by Java too.
 *
 * @param expected the number of properties, as far as it is known
 */
internal class SchemaMap(
    expected: Int,
) : AbstractMutableMap<String, ServiceEventSchemaType>() {
    private var names = arrayOfNulls<String>(maxOf(expected, 1))
    private var types = arrayOfNulls<ServiceEventSchemaType>(names.size)

    /** The names, once they are so many that they are quicker looked up than compared. */
    private var index: HashSet<String>? = null

    override var size: Int = 0
        private set

    /** Of a copy, so that Java can't change this map by it. */
    override val entries: MutableSet<MutableMap.MutableEntry<String, ServiceEventSchemaType>> get() {
        val copy = LinkedHashMap<String, ServiceEventSchemaType>()
        forEachType { name, type -> copy[name] = type }
        return copy.entries
    }

    /** False when there is a property of this name already, which stays as it is. */
    fun add(
        name: String,
        type: ServiceEventSchemaType,
    ): Boolean {
        if (size == FEW) index = HashSet<String>(names.size * 2).also { for (position in 0 until size) it += nameAt(position) }
        val isNew = index?.add(name) ?: (findPosition(name) < 0)
        if (!isNew) return false
        if (size == names.size) {
            names = names.copyOf(2 * size)
            types = types.copyOf(2 * size)
        }
        names[size] = name
        types[size++] = type
        return true
    }

    fun nameAt(position: Int): String = names[position] as String

    fun typeAt(position: Int): ServiceEventSchemaType = types[position] as ServiceEventSchemaType

    override fun containsKey(key: String): Boolean = findPosition(key) >= 0

    override fun get(key: String): ServiceEventSchemaType? = findPosition(key).let { if (it < 0) null else types[it] }

    override fun put(
        key: String,
        value: ServiceEventSchemaType,
    ): ServiceEventSchemaType? = throw UnsupportedOperationException("A schema that was derived can't be changed.")

    override fun equals(other: Any?): Boolean {
        if (other !is SchemaMap) return super.equals(other)
        if (size != other.size) return false
        forEachType { name, type -> if (other[name] != type) return false }
        return true
    }

    override fun hashCode(): Int {
        var sum = 0
        forEachType { name, type -> sum += name.hashCode() xor type.hashCode() }
        return sum
    }

    private fun findPosition(name: String): Int {
        if (index?.contains(name) == false) return -1
        val hash = name.hashCode()
        for (position in 0 until size) if (nameAt(position).hashCode() == hash && names[position] == name) return position
        return -1
    }

    private companion object {
        const val FEW = 16
    }
}

/** What the schema of an object is as text. */
internal fun textOf(schema: Map<String, ServiceEventSchemaType>): String {
    val text = StringBuilder("{")
    schema.forEachType { name, type ->
        if (text.length > 1) text.append(", ")
        text.append(name).append(": ").append(type)
    }
    return text.append('}').toString()
}

/** Calls [use] with each name and type; without a copy of the map. */
internal inline fun Map<String, ServiceEventSchemaType>.forEachType(use: (String, ServiceEventSchemaType) -> Unit) {
    if (this is SchemaMap) {
        for (position in 0 until size) use(nameAt(position), typeAt(position))
    } else {
        for ((name, type) in this) use(name, type)
    }
}
