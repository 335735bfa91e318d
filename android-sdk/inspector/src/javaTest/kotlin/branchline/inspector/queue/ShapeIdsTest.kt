package branchline.inspector.queue

import app.service.inspector.ServiceEventSchemaType
import com.google.gson.JsonArray
import com.google.gson.JsonObject
import com.google.gson.JsonParser
import org.junit.Assert.assertEquals
import org.junit.Test
import java.io.File

/** The ids of `conformance/library/shape-ids.json`, which the service computes too. */
internal class ShapeIdsTest {
    @Test
    fun `an event has the id that the service gives its shape`() {
        val same = vectors().filter { idOf(it) == it.get("shapeId").asString }.map { it.get("title").asString }
        // Names with these are escaped otherwise, so their schemas are asked for.
        val others = setOf("only quotes, backslashes and control characters are escaped", "half of a surrogate pair becomes U+FFFD")
        assertEquals(vectors().map { it.get("title").asString } - others, same)
    }

    @Test
    fun `an event is sent with the id in the place of its schema`() {
        val name = "\",\"schema\":[],\"observedAt\":"
        val event = encode(name, mapOf(name to ServiceEventSchemaType.ServiceInt()))
        val sent = JsonParser.parseString(event.withShapeId()).asJsonObject
        assertEquals(setOf("messageId", "eventName", "observedAt", "shapeId"), sent.keySet())
        assertEquals(name, sent.get("eventName").asString)
        assertEquals(event.shapeId, sent.get("shapeId").asString)
    }

    private fun vectors(): List<JsonObject> {
        val file = File(System.getProperty("basedir"), "../../conformance/library/shape-ids.json")
        return JsonParser
            .parseString(file.readText())
            .asJsonObject
            .getAsJsonArray("vectors")
            .map { it.asJsonObject }
    }

    private fun idOf(vector: JsonObject) = encode(vector.get("eventName").asString, schemaOf(vector.getAsJsonArray("schema"))).shapeId

    private fun encode(
        name: String,
        schema: Map<String, ServiceEventSchemaType>,
    ): QueuedEvent = checkNotNull(EventEncoder.encode(TrackedEvent(name, 0, schema, "an id"), "1.0.0"))

    private fun schemaOf(properties: JsonArray) = properties.associate { it.asJsonObject.get("name").asString to typeOf(it.asJsonObject) }

    private fun typeOf(json: JsonObject): ServiceEventSchemaType =
        when (json.get("type").asString) {
            "int" -> ServiceEventSchemaType.ServiceInt()
            "float" -> ServiceEventSchemaType.ServiceFloat()
            "boolean" -> ServiceEventSchemaType.ServiceBoolean()
            "string" -> ServiceEventSchemaType.ServiceString()
            "null" -> ServiceEventSchemaType.ServiceNull()
            "list" -> ServiceEventSchemaType.ServiceList(json.getAsJsonArray("items").map { typeOf(it.asJsonObject) }.toSet())
            "object" -> ServiceEventSchemaType.ServiceObject(schemaOf(json.getAsJsonArray("properties")))
            else -> ServiceEventSchemaType.ServiceUnknownType()
        }
}
