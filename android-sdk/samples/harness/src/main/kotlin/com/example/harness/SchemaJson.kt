package com.example.harness

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceEventSchemaType.ServiceBoolean
import app.service.inspector.ServiceEventSchemaType.ServiceFloat
import app.service.inspector.ServiceEventSchemaType.ServiceInt
import app.service.inspector.ServiceEventSchemaType.ServiceList
import app.service.inspector.ServiceEventSchemaType.ServiceNull
import app.service.inspector.ServiceEventSchemaType.ServiceObject
import app.service.inspector.ServiceEventSchemaType.ServiceString
import app.service.inspector.ServiceEventSchemaType.ServiceUnknownType
import com.google.gson.JsonArray
import com.google.gson.JsonObject

/** A schema in the form in which it is sent. */
internal fun jsonOf(schema: Map<String, ServiceEventSchemaType>): JsonArray =
    JsonArray().apply {
        for ((name, type) in schema) add(JsonObject().apply { addProperty("name", name) }.having(type))
    }

/** The schema that JSON of that form says. */
internal fun typesOf(json: JsonArray): Map<String, ServiceEventSchemaType> =
    json.map { it.asJsonObject }.associate { it.get("name").asString to typeOf(it) }

private fun JsonObject.having(type: ServiceEventSchemaType): JsonObject {
    addProperty("type", wordOf(type))
    if (type is ServiceList) add("items", JsonArray().apply { type.subtypes.forEach { add(JsonObject().having(it)) } })
    if (type is ServiceObject) add("properties", jsonOf(type.children))
    return this
}

private fun wordOf(type: ServiceEventSchemaType): String =
    when (type) {
        is ServiceInt -> "int"
        is ServiceFloat -> "float"
        is ServiceBoolean -> "boolean"
        is ServiceString -> "string"
        is ServiceNull -> "null"
        is ServiceUnknownType -> "unknown"
        is ServiceList -> "list"
        is ServiceObject -> "object"
    }

private fun typeOf(json: JsonObject): ServiceEventSchemaType =
    when (val word = json.get("type").asString) {
        "int" -> ServiceInt()
        "float" -> ServiceFloat()
        "boolean" -> ServiceBoolean()
        "string" -> ServiceString()
        "null" -> ServiceNull()
        "unknown" -> ServiceUnknownType()
        "list" -> ServiceList(json.getAsJsonArray("items").map { typeOf(it.asJsonObject) }.toSet())
        "object" -> ServiceObject(typesOf(json.getAsJsonArray("properties")))
        else -> error("There is no type \"$word\".")
    }
