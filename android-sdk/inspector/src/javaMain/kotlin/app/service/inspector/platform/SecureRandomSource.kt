package app.service.inspector.platform

import java.security.SecureRandom

/** Chance of the machine; made on first use, since that may read a file. */
internal object SecureRandomSource : RandomSource {
    private val random by lazy { SecureRandom() }

    override fun nextLong(): Long = random.nextLong()
}
