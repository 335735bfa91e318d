package branchline.inspector.extraction

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceEventSchemaType.ServiceObject
import branchline.inspector.support.RecordingLog

/** An extractor whose answers are texts, and which keeps what it logs. */
internal class ExtractionBench {
    val log = RecordingLog()
    private val extractor = SchemaExtractor(JavaValueReader(), log)

    fun schemaOf(properties: Any?): Map<String, ServiceEventSchemaType> = extractor.extract(properties).schema

    /** The schema as text, such as `{price: int}`. */
    fun textOf(properties: Any?): String = ServiceObject(schemaOf(properties)).toString()

    /** The type of one value, such as `int`. */
    fun typeOf(value: Any?): String = schemaOf(mapOf("value" to value))["value"].toString()

    fun fit(schema: Map<String, ServiceEventSchemaType>?): Map<String, ServiceEventSchemaType> = extractor.fit(schema)
}
