package app.service.inspector.extraction

/** Arrays of one primitive type, of which one element tells about all. */
internal object PrimitiveArrays {
    /** The first element, if there is one; null when [value] is no such array. */
    fun sampleOf(value: Any): List<*>? =
        when (value) {
            is IntArray -> value.take(1)
            is LongArray -> value.take(1)
            is DoubleArray -> value.take(1)
            is FloatArray -> value.take(1)
            is ByteArray -> value.take(1)
            is BooleanArray -> value.take(1)
            is CharArray -> value.take(1)
            is ShortArray -> value.take(1)
            else -> null
        }
}
