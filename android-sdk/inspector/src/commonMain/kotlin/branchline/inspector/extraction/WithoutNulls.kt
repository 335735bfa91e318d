package branchline.inspector.extraction

import app.service.inspector.ServiceEventSchemaType

/** A copy without the nulls that Java code may have put where Kotlin's types allow none. */
internal fun Set<ServiceEventSchemaType>.withoutNulls(): MutableSet<ServiceEventSchemaType> {
    val given: Set<ServiceEventSchemaType?> = this
    val copy = LinkedHashSet<ServiceEventSchemaType>()
    for (type in given) if (type != null) copy.add(type)
    return copy
}

/** The same of a map; a [SchemaMap] can hold none, and is not copied. */
internal fun Map<String, ServiceEventSchemaType>.withoutNulls(): Map<String, ServiceEventSchemaType> {
    if (this is SchemaMap) return this
    val given: Map<*, ServiceEventSchemaType?> = this
    val copy = SchemaMap(given.size)
    for ((name, type) in given) if (name is String && type != null) copy.add(name, type)
    return copy
}
