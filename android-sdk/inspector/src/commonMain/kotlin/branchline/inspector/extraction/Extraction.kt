package branchline.inspector.extraction

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceEventSchemaType.ServiceList
import app.service.inspector.ServiceEventSchemaType.ServiceObject
import branchline.inspector.wire.InspectorContract

/**
 * One walk through the properties of one event. Values are strangers' code: whatever they throw, errors too, costs the property
 * that threw, which is unknown.
 */
@Suppress("TooGenericExceptionCaught")
internal class Extraction(
    private val root: Any,
    private val reader: ValueReader,
    private val log: ExtractionLog,
) {
    /** Whether a list was found, which the app may add types to. */
    var hasLists: Boolean = false
        private set

    /** Null until something is nested in the root. */
    private var path: Ancestors? = null
    private var values = 0

    /** Whether a value was a type, which may hold more than a schema may. */
    private var holdsTypes = false

    /** Of the schema as it stands, an upper bound. */
    private var properties = 0

    /** The types by name; null where the root is nothing that has properties. */
    fun run(): SchemaMap? {
        val reading = if (FlatTypes.find(root) == null) read(root) else null
        if (reading !is Members) return null
        val types = readTypes(reading)
        if (types == null) log.found(Finding.FAILED)
        return types ?: SchemaMap(0)
    }

    /** Whether the schema may be larger than the contract allows. */
    val needsLimits: Boolean get() = holdsTypes || properties > InspectorContract.MAX_PROPERTIES

    private fun readType(value: Any?): ServiceEventSchemaType =
        FlatTypes.find(value) ?: try {
            if (value is ServiceEventSchemaType) takeType(value) else readNested(value as Any)
        } catch (_: Throwable) {
            FlatTypes.UNKNOWN
        }

    /** A type as a value stands for itself. */
    private fun takeType(type: ServiceEventSchemaType): ServiceEventSchemaType {
        holdsTypes = true
        hasLists = true
        return type
    }

    private fun readNested(value: Any): ServiceEventSchemaType {
        val reading = read(value)
        if (reading is ServiceEventSchemaType) return reading
        val ancestors = path ?: Ancestors(root)
        path = ancestors
        if (!mayEnter(value, ancestors)) return FlatTypes.UNKNOWN
        ancestors.enter(value)
        try {
            return if (reading is Iterable<*>) ServiceList(readSubtypes(reading)) else readObject(reading as Members)
        } finally {
            ancestors.leave()
        }
    }

    private fun readObject(members: Members): ServiceEventSchemaType {
        val types = readTypes(members)
        return if (types == null) FlatTypes.UNKNOWN else ServiceObject(types)
    }

    private fun read(value: Any): Reading =
        when (value) {
            is Map<*, *> -> Members(value.entries, askSize(value))
            is Iterable<*> -> value
            is Array<*> -> value.asList()
            else -> reader.read(value)
        }

    /** It only says how much room is made, so it need not be had. */
    private fun askSize(map: Map<*, *>): Int =
        try {
            map.size
        } catch (_: Throwable) {
            0
        }

    private fun mayEnter(
        value: Any,
        ancestors: Ancestors,
    ): Boolean {
        if (values >= ExtractionLimits.MAX_VALUES) {
            log.found(Finding.TOO_MANY_VALUES)
            return false
        }
        if (ancestors.isFull) log.found(Finding.TOO_DEEP)
        return !ancestors.isFull && value !in ancestors
    }

    /** Null where nothing could be read. A map that is changed meanwhile is read again, and at last taken as far as it could be read. */
    private fun readTypes(members: Members): SchemaMap? {
        val before = properties
        val room = members.count.coerceIn(0, InspectorContract.MAX_PROPERTIES)
        var types = SchemaMap(room)
        for (attempt in 1..ATTEMPTS) {
            if (attempt > 1) types = SchemaMap(room)
            properties = before
            try {
                addTypes(members.entries, types)
                return types
            } catch (_: Throwable) {
                continue
            }
        }
        return if (types.size > 0) types else null
    }

    private fun addTypes(
        entries: Iterable<Map.Entry<*, *>>,
        types: SchemaMap,
    ) {
        var read = 0
        for (entry in entries) {
            if (types.size == InspectorContract.MAX_PROPERTIES || read++ == ExtractionLimits.MAX_VALUES) {
                log.found(Finding.TOO_MANY_PROPERTIES)
                return
            }
            val name = readName(entry) ?: continue
            values++
            val before = properties++
            // Of two keys of the same text the first counts.
            if (!types.add(name, readTypeOfValue(entry))) properties = before
        }
    }

    private fun readName(entry: Map.Entry<*, *>): String? {
        val key = entry.key
        return try {
            PropertyName.sanitize(key as? String ?: key.toString())
        } catch (_: Throwable) {
            log.found(Finding.UNNAMED)
            null
        }
    }

    private fun readTypeOfValue(entry: Map.Entry<*, *>): ServiceEventSchemaType {
        val value =
            try {
                entry.value
            } catch (_: Throwable) {
                return FlatTypes.UNKNOWN
            }
        return readType(value)
    }

    private fun readSubtypes(elements: Iterable<*>): Set<ServiceEventSchemaType> {
        hasLists = true
        val subtypes = LinkedHashSet<ServiceEventSchemaType>()
        var count = 0
        for (element in elements) {
            if (++count > ExtractionLimits.MAX_ELEMENTS) log.found(Finding.TOO_MANY_ELEMENTS)
            if (count > ExtractionLimits.MAX_ELEMENTS || values >= ExtractionLimits.MAX_VALUES) break
            values++
            val before = properties
            if (!subtypes.add(readType(element))) properties = before
        }
        return subtypes
    }

    private companion object {
        const val ATTEMPTS = 3
    }
}
