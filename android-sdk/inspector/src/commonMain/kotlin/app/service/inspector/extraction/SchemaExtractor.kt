package app.service.inspector.extraction

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.platform.Log
import app.service.inspector.wire.InspectorContract

/**
 * Derives schemas from properties. Never throws, whatever the properties do, and does a bounded amount of work for each event. Any
 * thread may call.
 */
@Suppress("TooGenericExceptionCaught")
internal class SchemaExtractor(
    private val reader: ValueReader,
    log: Log,
) {
    private val log = ExtractionLog(log)

    /** The types of the properties by name; empty where there are none. */
    fun extract(properties: Any?): Map<String, ServiceEventSchemaType> = guarded { if (properties == null) null else typesOf(properties) }

    /** A copy of a schema that an app has made, within the limits of the contract. */
    fun fit(schema: Map<String, ServiceEventSchemaType>?): Map<String, ServiceEventSchemaType> =
        guarded { schema?.let { SchemaLimits(log).fit(it) } }

    private fun typesOf(properties: Any): Map<String, ServiceEventSchemaType>? {
        val extraction = Extraction(properties, reader, log)
        val types = extraction.run()
        if (types == null) log.found(Finding.NO_PROPERTIES)
        return if (types != null && extraction.properties > InspectorContract.MAX_PROPERTIES) SchemaLimits(log).fit(types) else types
    }

    private inline fun guarded(work: () -> Map<String, ServiceEventSchemaType>?): Map<String, ServiceEventSchemaType> {
        try {
            return work() ?: emptyMap()
        } catch (_: Throwable) {
            return emptyMap<String, ServiceEventSchemaType>().also { sayThatItFailed() }
        }
    }

    private fun sayThatItFailed() {
        try {
            log.found(Finding.FAILED)
        } catch (_: Throwable) {
            // Without stack or memory nothing can be said.
            return
        }
    }
}
