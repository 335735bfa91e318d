package branchline.inspector.extraction

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceEventSchemaType.ServiceBoolean
import app.service.inspector.ServiceEventSchemaType.ServiceFloat
import app.service.inspector.ServiceEventSchemaType.ServiceInt
import app.service.inspector.ServiceEventSchemaType.ServiceNull
import app.service.inspector.ServiceEventSchemaType.ServiceString
import app.service.inspector.ServiceEventSchemaType.ServiceUnknownType

/** The types without parts, one instance of each for all schemas. */
internal object FlatTypes {
    val INT: ServiceEventSchemaType = ServiceInt()
    val FLOAT: ServiceEventSchemaType = ServiceFloat()
    val BOOLEAN: ServiceEventSchemaType = ServiceBoolean()
    val STRING: ServiceEventSchemaType = ServiceString()
    val NULL: ServiceEventSchemaType = ServiceNull()
    val UNKNOWN: ServiceEventSchemaType = ServiceUnknownType()

    /** The type of a value that is one of Kotlin's basic ones; null of any other. What apps track most is asked for first. */
    fun find(value: Any?): ServiceEventSchemaType? =
        when (value) {
            null -> NULL
            is String -> STRING
            is Int, is Long -> INT
            is Boolean -> BOOLEAN
            is Double, is Float -> FLOAT
            is CharSequence, is Char, is Enum<*> -> STRING
            is Short, is Byte, is UInt, is ULong, is UShort, is UByte -> INT
            else -> null
        }
}
