package branchline.inspector.platform

import java.security.SecureRandom

/** Chance of the machine; made on first use, since that may read a file. */
internal object SecureRandomSource : RandomSource {
    override fun nextLong(): Long = Made.random.nextLong()

    private object Made {
        val random = SecureRandom()
    }
}
