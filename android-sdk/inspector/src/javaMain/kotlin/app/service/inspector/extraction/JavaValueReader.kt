package app.service.inspector.extraction

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
            is BigInteger -> INT
            is BigDecimal -> FLOAT
            is UUID, is Date, is URI, is URL -> STRING
            else -> readObject(value)
        }

    private fun readObject(value: Any): Reading {
        val type = value.javaClass
        return when {
            isMoment(type) -> STRING
            PlatformClasses.hold(type) || value is Sequence<*> -> UNKNOWN
            else -> ClassFields.of(type).let { Reading.Members(FieldEntries(value, it), it.size) }
        }
    }

    /** By name, since API level 21 has no `java.time`. */
    private fun isMoment(type: Class<*>) = type.name.startsWith("java.time.") || type.name == "kotlin.time.Instant"

    internal companion object {
        val INT: Reading = Reading.Flat(FlatTypes.INT)
        val FLOAT: Reading = Reading.Flat(FlatTypes.FLOAT)
        val STRING: Reading = Reading.Flat(FlatTypes.STRING)
        val NULL: Reading = Reading.Flat(FlatTypes.NULL)
        val UNKNOWN: Reading = Reading.Flat(FlatTypes.UNKNOWN)
    }
}
