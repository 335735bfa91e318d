package branchline.inspector.extraction

import java.math.BigDecimal
import java.math.BigInteger
import java.net.URI
import java.net.URL
import java.util.Date
import java.util.UUID

/** Reads the classes of Java, and the fields of any other object. */
internal class JavaValueReader : ValueReader {
    override fun read(value: Any): Reading =
        when (value) {
            is BigInteger -> FlatTypes.INT
            is BigDecimal -> FlatTypes.FLOAT
            is UUID, is Date, is URI, is URL -> FlatTypes.STRING
            else -> readObject(value)
        }

    private fun readObject(value: Any): Reading {
        val type = value.javaClass
        return when {
            type.isArray -> sample(value)
            isText(type.name) -> FlatTypes.STRING
            PlatformClasses.hold(type) || value is Sequence<*> -> FlatTypes.UNKNOWN
            else -> fieldsOf(value, type)
        }
    }

    private fun fieldsOf(
        owner: Any,
        type: Class<*>,
    ): Members {
        val fields = ClassFields.find(type)
        return Members(FieldEntries(owner, fields), fields.size)
    }

    /** An array of a primitive type: one element tells about all. */
    private fun sample(array: Any): List<Any?> =
        if (java.lang.reflect.Array
                .getLength(array) == 0
        ) {
            emptyList()
        } else {
            listOf(
                java.lang.reflect.Array
                    .get(array, 0),
            )
        }

    /**
     * Moments and ids that API level 21 or an older standard library does not have, so that they are known by name. `j$` is what
     * desugaring makes of `java`; the rules that are shipped keep the names of Kotlin's.
     */
    private fun isText(name: String): Boolean =
        name.startsWith("java.time.") || name.startsWith("j\$.time.") || name.startsWith("kotlinx.datetime.") ||
            name == "kotlin.time.Instant" || name == "kotlin.uuid.Uuid"
}
