package app.service.inspector.delivery

/** CRC-32 as in RFC 1952, section 8. */
internal object Crc32 {
    private const val POLYNOMIAL = 0xEDB88320.toInt()
    private const val BYTE = 0xFF

    private val table =
        IntArray(BYTE + 1) { index ->
            var value = index
            repeat(Byte.SIZE_BITS) { value = if (value and 1 == 0) value ushr 1 else (value ushr 1) xor POLYNOMIAL }
            value
        }

    /** Of the bytes from [start] up to but not including [end], which follow those whose CRC is [before]. */
    fun of(
        bytes: ByteArray,
        start: Int,
        end: Int,
        before: Int = 0,
    ): Int {
        var crc = before.inv()
        for (index in start until end) {
            crc = (crc ushr Byte.SIZE_BITS) xor table[(crc xor bytes[index].toInt()) and BYTE]
        }
        return crc.inv()
    }
}
