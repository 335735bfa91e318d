package branchline.inspector.visual

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceEventSchemaType.ServiceList
import app.service.inspector.ServiceEventSchemaType.ServiceObject

/** What is worked out from a schema when it is first looked at, not on the thread that tracks. */
internal class ReportedSchema(
    eventName: String,
    schema: Map<String, ServiceEventSchemaType>,
    earlier: Map<String, ServiceEventSchemaType>?,
) {
    val changedTypes: Map<List<String>, ServiceEventSchemaType> by lazy {
        if (earlier == null) emptyMap() else buildMap { putChanges(earlier, schema, emptyList()) }
    }

    val searchText: String by lazy {
        buildString {
            append(eventName)
            appendNames(schema)
        }.lowercase()
    }
}

private fun MutableMap<List<String>, ServiceEventSchemaType>.putChanges(
    before: Map<String, ServiceEventSchemaType>,
    after: Map<String, ServiceEventSchemaType>,
    path: List<String>,
) {
    for ((name, type) in after) {
        val earlier = before[name] ?: continue
        if (earlier is ServiceObject && type is ServiceObject) {
            putChanges(earlier.children, type.children, path + name)
        } else if (earlier != type) {
            put(path + name, earlier)
        }
    }
}

private fun StringBuilder.appendNames(properties: Map<String, ServiceEventSchemaType>) {
    for ((name, type) in properties) {
        append('\n').append(name)
        appendNamesIn(type)
    }
}

private fun StringBuilder.appendNamesIn(type: ServiceEventSchemaType) {
    when (type) {
        is ServiceObject -> appendNames(type.children)
        is ServiceList -> type.subtypes.forEach { appendNamesIn(it) }
        else -> Unit
    }
}
