package com.example.harness

import app.service.inspector.JvmApplication
import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceInspector
import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.vectors.TypedJson
import com.google.gson.JsonObject
import java.io.File

/** An app that does with the Inspector what it is asked to; the requests are documented in `conformance/library/vectors/README.md`. */
internal class Driver {
    private lateinit var inspector: ServiceInspector

    /** The reply to a request. Whatever the library throws is thrown on. */
    fun answer(request: JsonObject): JsonObject =
        when (val what = request.text("do")) {
            "start" -> {
                start(request)
                ok()
            }

            "track" -> {
                schema(inspector.trackSchemaFromEvent(request.text("eventName"), request.properties()))
            }

            "trackSchema" -> {
                inspector.trackSchema(request.text("eventName"), typesOf(request.getAsJsonArray("schema")))
                ok()
            }

            "extract" -> {
                schema(inspector.extractSchema(TypedJson().valueOf(request.getAsJsonObject("input"))))
            }

            "stop" -> {
                ok()
            }

            else -> {
                unsupported("there is no \"$what\" here")
            }
        }

    private fun start(request: JsonObject) {
        ServiceInspector.setEndpoint(request.text("endpoint"))
        request.get("batchSize")?.let { ServiceInspector.setBatchSize(it.asInt) }
        request.get("batchFlushSeconds")?.let { ServiceInspector.setBatchFlushSeconds(it.asInt) }
        val application = JvmApplication("com.example.harness", "Harness", "1.0.0", File(request.text("folder")))
        inspector = ServiceInspector(request.text("apiKey"), application, environments[request.text("environment")])
    }

    /** The event's own properties are a map with text for keys, as the library wants it. */
    private fun JsonObject.properties(): Map<String, *>? {
        val given = TypedJson().valueOf(getAsJsonObject("properties")) as Map<*, *>?
        return given?.mapKeys { (key) -> key as String }
    }

    private fun JsonObject.text(name: String): String = get(name).asString

    private fun ok() = JsonObject().apply { addProperty("ok", true) }

    private fun schema(schema: Map<String, ServiceEventSchemaType>) = ok().apply { add("schema", jsonOf(schema)) }

    private fun unsupported(what: String) =
        JsonObject().apply {
            addProperty("ok", false)
            addProperty("unsupported", what)
        }

    private companion object {
        val environments =
            mapOf(
                "dev" to ServiceInspectorEnv.Dev,
                "staging" to ServiceInspectorEnv.Staging,
                "prod" to ServiceInspectorEnv.Prod,
            )
    }
}
