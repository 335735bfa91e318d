package app.service.inspector.support

import app.service.inspector.platform.RandomSource
import kotlin.random.Random

/** The same chance at every run. */
internal class SeededRandom(
    seed: Int,
) : RandomSource {
    private val random = Random(seed)

    override fun nextLong(): Long = random.nextLong()
}
