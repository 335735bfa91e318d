package branchline.inspector.queue

import branchline.inspector.platform.Clock
import branchline.inspector.platform.RandomSource
import branchline.inspector.platform.formatUuid

/** Makes UUIDs of version 7 (RFC 9562, section 5.7), which lie side by side in the index of the service. */
internal class MessageIds(
    private val clock: Clock,
    private val random: RandomSource,
) {
    /** An id that no other has. */
    fun next(): String =
        formatUuid(
            high = (clock.wallMillis() shl TIME_SHIFT) or VERSION_7 or (random.nextLong() and LOW_12_BITS),
            low = (random.nextLong() and VARIANT_MASK) or VARIANT,
        )

    private companion object {
        const val TIME_SHIFT = 16
        const val VERSION_7 = 0x7000L
        const val LOW_12_BITS = 0xFFFL
        const val VARIANT_MASK = 0x3FFF_FFFF_FFFF_FFFFL
        const val VARIANT = Long.MIN_VALUE
    }
}
