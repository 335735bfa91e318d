package app.service.inspector.delivery

import app.service.inspector.platform.Clock
import app.service.inspector.platform.RandomSource

/** Makes UUIDs of version 7 (RFC 9562, section 5.7), which lie side by side in the index of the service. */
internal class MessageIds(
    private val clock: Clock,
    private val random: RandomSource,
) {
    /** An id that no other has. */
    fun next(): String {
        val high = (clock.wallMillis() shl TIME_SHIFT) or VERSION_7 or (random.nextLong() and LOW_12_BITS)
        val low = (random.nextLong() and VARIANT_MASK) or VARIANT
        val text = hex(high) + hex(low)
        return GROUPS.joinToString("-") { text.substring(it) }
    }

    private fun hex(bits: Long) = bits.toULong().toString(HEX).padStart(HEX_DIGITS, '0')

    private companion object {
        const val TIME_SHIFT = 16
        const val VERSION_7 = 0x7000L
        const val LOW_12_BITS = 0xFFFL
        const val VARIANT_MASK = 0x3FFF_FFFF_FFFF_FFFFL
        const val VARIANT = Long.MIN_VALUE
        const val HEX = 16
        const val HEX_DIGITS = 16
        val GROUPS = listOf(0..7, 8..11, 12..15, 16..19, 20..31)
    }
}
