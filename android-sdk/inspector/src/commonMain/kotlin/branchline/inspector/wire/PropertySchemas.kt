package branchline.inspector.wire

import app.service.inspector.ServiceEventSchemaType
import branchline.inspector.extraction.forEachType

/** The schema of an event, or of an object in it, as it is sent. */
internal fun propertySchemas(schema: Map<String, ServiceEventSchemaType>): List<PropertySchema> {
    val properties = ArrayList<PropertySchema>(schema.size)
    schema.forEachType { name, type -> properties += PropertySchema(name, InspectorContract.nameOf(type), items(type), properties(type)) }
    return properties
}

private fun items(type: ServiceEventSchemaType): List<ElementSchema>? {
    if (type !is ServiceEventSchemaType.ServiceList) return null
    val items = ArrayList<ElementSchema>(type.subtypes.size)
    for (subtype in type.subtypes) items += ElementSchema(InspectorContract.nameOf(subtype), items(subtype), properties(subtype))
    return items
}

private fun properties(type: ServiceEventSchemaType): List<PropertySchema>? =
    if (type is ServiceEventSchemaType.ServiceObject) propertySchemas(type.children) else null
