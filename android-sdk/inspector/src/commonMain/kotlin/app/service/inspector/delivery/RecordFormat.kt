package app.service.inspector.delivery

import app.service.inspector.wire.InspectorContract

/**
 * How records lie in an append-only file: a mark of 4 bytes, the length of the payload, the CRC-32 of length and payload (both
 * 4 bytes, the highest first), and the payload, which is UTF-8.
 *
 * The mark begins with a byte that UTF-8 never has, so a reader that has met damage finds the next record by looking for it:
 * damage costs the records that it touches and no others.
 */
internal object RecordFormat {
    private val MARK = byteArrayOf(0xFF.toByte(), 'B'.code.toByte(), 'Q'.code.toByte(), 0xFE.toByte())
    private const val LENGTH_AT = 4
    private const val CRC_AT = 8

    /** The bytes that a record has beside its payload. */
    const val OVERHEAD: Int = 12

    /** A longer payload is never written, so a length beyond it is damage. */
    const val MAX_PAYLOAD: Int = 2 * InspectorContract.MAX_BATCH_BYTES

    /** The record that holds a payload. */
    fun encode(payload: String): ByteArray {
        val content = payload.encodeToByteArray()
        require(content.size <= MAX_PAYLOAD) { "A record holds at most $MAX_PAYLOAD bytes, not ${content.size}." }
        val record = ByteArray(OVERHEAD + content.size)
        MARK.copyInto(record)
        putInt(record, LENGTH_AT, content.size)
        content.copyInto(record, OVERHEAD)
        putInt(record, CRC_AT, checksum(record, 0, content.size))
        return record
    }

    /** Every record that is whole, in order. */
    fun decode(file: ByteArray): DecodedRecords {
        val payloads = ArrayList<String>()
        var damagedStretches = 0
        var position = 0
        var inDamage = false
        while (position < file.size) {
            val length = lengthOfWholeRecord(file, position)
            if (length != null) {
                payloads += file.decodeToString(position + OVERHEAD, position + OVERHEAD + length)
                position += OVERHEAD + length
            } else {
                if (!inDamage) damagedStretches++
                position++
            }
            inDamage = length == null
        }
        return DecodedRecords(payloads, damagedStretches)
    }

    private fun lengthOfWholeRecord(
        file: ByteArray,
        position: Int,
    ): Int? {
        if (file.size - position < OVERHEAD || MARK.indices.any { file[position + it] != MARK[it] }) return null
        val length = getInt(file, position + LENGTH_AT)
        val fits = length in 0..minOf(MAX_PAYLOAD, file.size - position - OVERHEAD)
        return length.takeIf { fits && getInt(file, position + CRC_AT) == checksum(file, position, length) }
    }

    private fun checksum(
        file: ByteArray,
        position: Int,
        length: Int,
    ): Int {
        val ofLength = Crc32.of(file, position + LENGTH_AT, position + CRC_AT)
        return Crc32.of(file, position + OVERHEAD, position + OVERHEAD + length, before = ofLength)
    }

    private fun putInt(
        bytes: ByteArray,
        at: Int,
        value: Int,
    ) {
        for (index in 0 until Int.SIZE_BYTES) bytes[at + index] = (value ushr shift(index)).toByte()
    }

    private fun getInt(
        bytes: ByteArray,
        at: Int,
    ): Int = (0 until Int.SIZE_BYTES).fold(0) { sum, index -> sum or (bytes[at + index].toUByte().toInt() shl shift(index)) }

    private fun shift(index: Int): Int = Byte.SIZE_BITS * (Int.SIZE_BYTES - 1 - index)
}

/** What [RecordFormat.decode] found. */
internal class DecodedRecords(
    val payloads: List<String>,
    /** How many times something that is no record stood where one was expected. */
    val damagedStretches: Int,
)
