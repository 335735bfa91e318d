package branchline.inspector.extraction

import app.service.inspector.ServiceEventSchemaType
import branchline.inspector.platform.Log
import branchline.inspector.platform.Task
import branchline.inspector.queue.TrackedEvent

/**
 * Derives schemas from properties. Never throws, whatever the properties do, and does a bounded amount of work for each event. Any
 * thread may call.
 */
@Suppress("TooGenericExceptionCaught")
internal class SchemaExtractor(
    private val reader: ValueReader,
    log: Log,
) : Task {
    private val log = ExtractionLog(log)

    /** Loads, on a thread that nobody waits for, the classes that the first event takes. */
    override fun run() {
        val properties = LinkedHashMap<String, Any>()
        properties["names"] = properties.keys
        OwnSchema(TrackedEvent("", 0, extract(properties).schema).schema).size
    }

    /** The types of the properties by name; empty where there are none. */
    fun extract(properties: Any?): Extracted =
        try {
            if (properties == null) Extracted(SchemaMap(0)) else extractFrom(properties)
        } catch (_: Throwable) {
            Extracted(SchemaMap(0)).also { sayThatItFailed() }
        }

    /** A copy of a schema that an app has made, within the limits of the contract. */
    fun fit(schema: Map<String, ServiceEventSchemaType>?): SchemaMap =
        try {
            if (schema == null) SchemaMap(0) else SchemaLimits(log).fit(schema)
        } catch (_: Throwable) {
            SchemaMap(0).also { sayThatItFailed() }
        }

    private fun extractFrom(properties: Any): Extracted {
        val extraction = Extraction(properties, reader, log)
        val types = extraction.run()
        if (types == null) log.found(Finding.NO_PROPERTIES)
        val schema = types ?: SchemaMap(0)
        return Extracted(if (extraction.needsLimits) SchemaLimits(log).fit(schema) else schema, extraction.hasLists)
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

/** What was derived from properties. */
internal class Extracted(
    val schema: SchemaMap,
    /** Whether there is a list in it, which the app may add types to. */
    val hasLists: Boolean = false,
)
