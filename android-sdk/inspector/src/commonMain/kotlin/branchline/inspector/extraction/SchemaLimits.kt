package branchline.inspector.extraction

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceEventSchemaType.ServiceList
import app.service.inspector.ServiceEventSchemaType.ServiceObject
import branchline.inspector.wire.InspectorContract

/** Makes a schema one that the service takes: of no more properties, not deeper and with no longer names than the contract allows. */
internal class SchemaLimits(
    private val log: ExtractionLog,
) {
    private var left = InspectorContract.MAX_PROPERTIES

    /** A copy, without what does not fit. Properties are counted as they come, each before what it holds. */
    fun fit(schema: Map<String, ServiceEventSchemaType>): SchemaMap = fit(schema, 1)

    private fun fit(
        schema: Map<*, *>,
        level: Int,
    ): SchemaMap {
        val fitting = SchemaMap(minOf(schema.size, left))
        for ((key, type) in schema) {
            // Java may have put null, or something else altogether, into the map.
            if (key !is String || type !is ServiceEventSchemaType) continue
            val name = PropertyName.sanitize(key)
            if (left == 0) {
                log.found(Finding.TOO_MANY_PROPERTIES)
                break
            }
            if (name !in fitting) {
                left--
                fitting.add(name, fit(type, level))
            }
        }
        return fitting
    }

    private fun fit(
        type: ServiceEventSchemaType,
        level: Int,
    ): ServiceEventSchemaType =
        when {
            type !is ServiceList && type !is ServiceObject -> type
            level >= InspectorContract.MAX_DEPTH -> FlatTypes.UNKNOWN.also { log.found(Finding.TOO_DEEP) }
            type is ServiceObject -> ServiceObject(fit(type.children, level + 1))
            else -> ServiceList(subtypes(type as ServiceList, level + 1))
        }

    private fun subtypes(
        list: ServiceList,
        level: Int,
    ): Set<ServiceEventSchemaType> {
        val fitting = LinkedHashSet<ServiceEventSchemaType>()
        var count = 0
        for (type in list.subtypes) if (count++ < InspectorContract.MAX_PROPERTIES) fitting += fit(type, level)
        return fitting
    }
}
