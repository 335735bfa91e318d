package branchline.inspector.visual

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceEventSchemaType.ServiceList
import app.service.inspector.ServiceEventSchemaType.ServiceObject
import branchline.inspector.wire.InspectorContract

/** One line of a schema written out: a property, or a type that a list holds. */
internal class SchemaLine(
    /** 0 for the event's own properties, one more for what an object or a list holds. */
    val depth: Int,
    /** Null for a type that a list holds. */
    val name: String?,
    val type: String,
    /** The type that it had in the event of the same name before, if that was another. */
    val was: String?,
)

/** The schema of [report], line by line, what is held beneath what holds it. */
internal fun schemaLines(report: Report): List<SchemaLine> {
    val changed = report.changedTypes.mapValues { it.value.toString() }
    return buildList { addProperties(report.event.schema, emptyList(), changed) }
}

private fun MutableList<SchemaLine>.addProperties(
    properties: Map<String, ServiceEventSchemaType>,
    path: List<String>,
    changed: Map<List<String>, String>,
) {
    for ((name, type) in properties) {
        val here = path + name
        add(SchemaLine(path.size, name, shortName(type), changed[here]))
        when (type) {
            is ServiceObject -> addProperties(type.children, here, changed)
            is ServiceList -> addHeld(type, here)
            else -> Unit
        }
    }
}

private fun MutableList<SchemaLine>.addHeld(
    list: ServiceList,
    path: List<String>,
) {
    if (isPlain(list)) return
    for (type in list.subtypes) {
        add(SchemaLine(path.size, null, shortName(type), null))
        // A change within a list is a change of the list's type, and is told there.
        if (type is ServiceObject) addProperties(type.children, path + "", emptyMap())
        if (type is ServiceList) addHeld(type, path + "")
    }
}

/** A list of simple types is told in full; of others only the kind, since what they hold follows. */
private fun shortName(type: ServiceEventSchemaType): String =
    if (type is ServiceObject || (type is ServiceList && !isPlain(type))) InspectorContract.nameOf(type) else type.toString()

private fun isPlain(list: ServiceList) = list.subtypes.none { it is ServiceObject || it is ServiceList }
