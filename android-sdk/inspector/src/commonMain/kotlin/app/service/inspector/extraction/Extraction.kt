package app.service.inspector.extraction

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceEventSchemaType.ServiceList
import app.service.inspector.ServiceEventSchemaType.ServiceObject
import app.service.inspector.wire.InspectorContract

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
    /** Null until something is nested in the root. */
    private var path: Ancestors? = null
    private var values = 0

    /** Of the schema as it stands, an upper bound. */
    var properties: Int = 0
        private set

    /** The types by name; null where the root is nothing that has properties. */
    fun run(): Map<String, ServiceEventSchemaType>? {
        val reading = if (FlatTypes.of(root) == null) readingOf(root) else null
        if (reading !is Reading.Members) return null
        return typesOf(reading) ?: emptyMap<String, ServiceEventSchemaType>().also { log.found(Finding.FAILED) }
    }

    private fun typeOf(value: Any?): ServiceEventSchemaType =
        FlatTypes.of(value) ?: try {
            nestedType(value as Any)
        } catch (_: Throwable) {
            FlatTypes.UNKNOWN
        }

    private fun nestedType(value: Any): ServiceEventSchemaType {
        val reading = readingOf(value)
        if (reading is Reading.Flat) return reading.type
        val ancestors = path ?: Ancestors(root).also { path = it }
        if (!mayEnter(value, ancestors)) return FlatTypes.UNKNOWN
        ancestors.enter(value)
        try {
            return when (reading) {
                is Reading.Elements -> ServiceList(subtypesOf(reading.values))
                is Reading.Members -> typesOf(reading)?.let(::ServiceObject) ?: FlatTypes.UNKNOWN
                is Reading.Flat -> reading.type
            }
        } finally {
            ancestors.leave()
        }
    }

    private fun readingOf(value: Any): Reading =
        when (value) {
            is Map<*, *> -> Reading.Members(value.entries, sizeOf(value))
            is Iterable<*> -> Reading.Elements(value)
            is Array<*> -> Reading.Elements(value.asList())
            else -> PrimitiveArrays.sampleOf(value)?.let(Reading::Elements) ?: reader.read(value)
        }

    /** It only says how much room is made, so it need not be had. */
    private fun sizeOf(map: Map<*, *>): Int =
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
    private fun typesOf(members: Reading.Members): SchemaMap? {
        val before = properties
        val room = members.count.coerceIn(0, InspectorContract.MAX_PROPERTIES)
        var types = SchemaMap(room)
        repeat(ATTEMPTS) { attempt ->
            if (attempt > 0) types = SchemaMap(room)
            properties = before
            try {
                addTypes(members.entries, types)
                return types
            } catch (_: Throwable) {
                return@repeat
            }
        }
        return types.takeIf { it.isNotEmpty() }
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
            val name = nameOf(entry) ?: continue
            values++
            val before = properties++
            // Of two keys of the same text the first counts.
            if (!types.add(name, typeOfValue(entry))) properties = before
        }
    }

    private fun nameOf(entry: Map.Entry<*, *>): String? {
        val key = entry.key
        return try {
            PropertyName.of(key as? String ?: key.toString())
        } catch (_: Throwable) {
            log.found(Finding.UNNAMED)
            null
        }
    }

    private fun typeOfValue(entry: Map.Entry<*, *>): ServiceEventSchemaType {
        val value =
            try {
                entry.value
            } catch (_: Throwable) {
                return FlatTypes.UNKNOWN
            }
        return typeOf(value)
    }

    private fun subtypesOf(elements: Iterable<*>): Set<ServiceEventSchemaType> {
        val subtypes = LinkedHashSet<ServiceEventSchemaType>()
        var count = 0
        for (element in elements) {
            if (++count > ExtractionLimits.MAX_ELEMENTS) log.found(Finding.TOO_MANY_ELEMENTS)
            if (count > ExtractionLimits.MAX_ELEMENTS || values >= ExtractionLimits.MAX_VALUES) break
            values++
            val before = properties
            if (!subtypes.add(typeOf(element))) properties = before
        }
        return subtypes
    }

    private companion object {
        const val ATTEMPTS = 3
    }
}
