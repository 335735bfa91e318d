package branchline.inspector.platform

/** Where the library takes chance from. */
internal interface RandomSource {
    /** Evenly spread over all 64 bits. */
    fun nextLong(): Long

    /** Evenly spread, from 0 up to but not including 1. */
    fun nextDouble(): Double = (nextLong() ushr UNUSED_BITS) * UNIT

    private companion object {
        /** A Double holds 53 bits exactly. */
        const val UNUSED_BITS = 11
        const val UNIT = 1.0 / (1L shl 53)
    }
}
