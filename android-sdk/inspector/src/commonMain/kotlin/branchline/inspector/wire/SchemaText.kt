package branchline.inspector.wire

import app.service.inspector.ServiceEventSchemaType
import branchline.inspector.extraction.forEachType

/** Stands between a name and what is written of its property while they are sorted; neither has it. */
private const val END_OF_NAME = '\u0000'

/**
 * The schema of an event, or of an object in it, as the contract writes it for the id of a shape: the properties sorted by name, the types of
 * a list by their text. So it is sent, too.
 */
internal fun schemaText(schema: Map<String, ServiceEventSchemaType>): String {
    val properties = ArrayList<String>(schema.size)
    schema.forEachType { name, type ->
        val json = JsonWriter()
        json.value(name)
        properties += "$name$END_OF_NAME{\"name\":$json,${typeText(type)}"
    }
    return sorted(properties)
}

/** The fields that say what a type is, and the end of their object. */
private fun typeText(type: ServiceEventSchemaType): String {
    val text = "\"type\":\"${InspectorContract.nameOf(type)}\""
    if (type is ServiceEventSchemaType.ServiceObject) return "$text,\"properties\":${schemaText(type.children)}}"
    if (type !is ServiceEventSchemaType.ServiceList) return "$text}"
    val items = ArrayList<String>(type.subtypes.size)
    for (subtype in type.subtypes) items += "{${typeText(subtype)}"
    return "$text,\"items\":${sorted(items)}}"
}

private fun sorted(texts: MutableList<String>): String {
    texts.sort()
    val json = StringBuilder("[")
    for (text in texts) json.append(if (json.length == 1) "" else ",").append(text, text.lastIndexOf(END_OF_NAME) + 1, text.length)
    return json.append(']').toString()
}
