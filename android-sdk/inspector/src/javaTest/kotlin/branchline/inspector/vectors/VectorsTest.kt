package branchline.inspector.vectors

import app.service.inspector.ServiceEventSchemaType
import branchline.inspector.extraction.JavaValueReader
import branchline.inspector.extraction.SchemaExtractor
import branchline.inspector.wire.InspectorContract
import com.google.gson.JsonArray
import com.google.gson.JsonElement
import com.google.gson.JsonObject
import com.google.gson.JsonParser
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.junit.runners.Parameterized
import java.io.File

/** The language-neutral cases of `conformance/library/vectors`: each input gives the schema that is expected. */
@RunWith(Parameterized::class)
internal class VectorsTest(
    @Suppress("unused") private val id: String,
    private val vector: JsonObject,
) {
    @Test
    fun givesTheExpectedSchema() {
        val input = vector.getAsJsonObject("input")
        val schema = SchemaExtractor(JavaValueReader()) { _, _ -> }.extract(TypedJson().valueOf(input)).schema
        // The fields of an object come in any order, the entries of a map in theirs.
        val hasOrder = "\"object\"" !in input.toString()
        assertEquals(
            canonical(vector.getAsJsonArray("expected"), hasOrder),
            canonical(schema, hasOrder),
        )
    }

    private companion object {
        @JvmStatic
        @Parameterized.Parameters(name = "{0}")
        fun vectors(): List<Array<Any>> =
            File(System.getProperty("basedir"), "../../conformance/library/vectors")
                .listFiles { file -> file.name.endsWith(".json") && !file.name.endsWith(".schema.json") }
                .orEmpty()
                .sorted()
                .flatMap { JsonParser.parseString(it.readText()).asJsonObject.getAsJsonArray("cases") }
                .map { arrayOf(it.asJsonObject.get("id").asString, it.asJsonObject) }
                .also { check(it.size >= 100) { "There are only ${it.size} vectors." } }

        fun canonical(
            schema: Map<String, ServiceEventSchemaType>,
            hasOrder: Boolean,
        ): List<String> = schema.map { (name, type) -> "$name: ${text(type, hasOrder)}" }.let { if (hasOrder) it else it.sorted() }

        private fun text(
            type: ServiceEventSchemaType,
            hasOrder: Boolean,
        ): String =
            InspectorContract.nameOf(type) +
                when (type) {
                    is ServiceEventSchemaType.ServiceList -> {
                        type.subtypes
                            .map { text(it, false) }
                            .sorted()
                            .joinToString("|", "<", ">")
                    }

                    is ServiceEventSchemaType.ServiceObject -> {
                        canonical(type.children, hasOrder).joinToString(", ", "{", "}")
                    }

                    else -> {
                        ""
                    }
                }

        fun canonical(
            properties: JsonArray,
            hasOrder: Boolean,
        ): List<String> = properties.map { text(it.asJsonObject, hasOrder) }.let { if (hasOrder) it else it.sorted() }

        private fun text(
            type: JsonObject,
            hasOrder: Boolean,
        ): String {
            val name =
                type
                    .get("name")
                    ?.asString
                    ?.let { "$it: " }
                    .orEmpty()
            val items = type.get("items")?.asJsonArray?.map { text(it.asJsonObject, false) }
            val properties = type.get("properties")?.let { canonical((it as JsonElement).asJsonArray, hasOrder) }
            return name + type.get("type").asString + (items?.sorted()?.joinToString("|", "<", ">") ?: "") +
                (properties?.joinToString(", ", "{", "}") ?: "")
        }
    }
}
