package branchline.inspector.support

import branchline.inspector.platform.RandomSource
import kotlin.random.Random

/** The same chance at every run. */
internal class SeededRandom(
    seed: Int,
) : RandomSource {
    private val random = Random(seed)

    override fun nextLong(): Long = random.nextLong()
}
