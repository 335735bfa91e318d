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

    /** The types of the properties by name, a fresh map; empty where there are none. */
    fun extract(properties: Any?): MutableMap<String, ServiceEventSchemaType> =
        guarded { if (properties == null) null else typesOf(properties) }

    /** A copy of a schema that an app has made, within the limits of the contract. */
    fun fit(schema: Map<String, ServiceEventSchemaType>?): MutableMap<String, ServiceEventSchemaType> =
        guarded { schema?.let { SchemaLimits(log).fit(it) } }

    private fun typesOf(properties: Any): MutableMap<String, ServiceEventSchemaType>? {
        val extraction = Extraction(reader, log)
        val types = extraction.propertiesOf(properties)
        if (types == null) log.found(Finding.NO_PROPERTIES)
        return if (types != null && extraction.properties > InspectorContract.MAX_PROPERTIES) SchemaLimits(log).fit(types) else types
    }

    private inline fun guarded(work: () -> MutableMap<String, ServiceEventSchemaType>?): MutableMap<String, ServiceEventSchemaType> {
        try {
            return work() ?: LinkedHashMap()
        } catch (_: Throwable) {
            return LinkedHashMap<String, ServiceEventSchemaType>().also { sayThatItFailed() }
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
