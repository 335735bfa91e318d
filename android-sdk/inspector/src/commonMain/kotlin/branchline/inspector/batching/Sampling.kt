package branchline.inspector.batching

import branchline.inspector.platform.Clock
import branchline.inspector.platform.RandomSource
import branchline.inspector.platform.numberOf
import branchline.inspector.queue.Disk
import branchline.inspector.queue.readText
import branchline.inspector.queue.saveText

/**
 * The share of events that the service asks for, from 0 to 1, as its last receipt said. It is believed for a day: an app that was
 * told 0 sends nothing, so no receipt could ever tell it another rate.
 */
internal class Sampling(
    private val shared: Disk,
    private val clock: Clock,
    private val random: RandomSource,
) {
    private var learnt = EVERYTHING
    private var learntAtWall = 0L

    init {
        val fields = shared.readText(FILE).split(' ')
        if (fields.size == 2) {
            learnt = rateOf(fields[0])
            learntAtWall = numberOf(fields[1], 0)
        }
    }

    /** The rate in force. */
    val rate: Double
        get() = if (isYoungerThan(BELIEVED_MILLIS)) learnt else EVERYTHING

    /** Takes the rate of a receipt. */
    fun learn(rate: Double) {
        if (!isRate(rate)) return
        val isNews = rate != learnt || !isYoungerThan(WORTH_SAVING_MILLIS)
        learnt = rate
        learntAtWall = clock.wallMillis()
        if (isNews) shared.saveText(FILE, if (rate == EVERYTHING) "" else "$rate $learntAtWall")
    }

    /** Whether the next event is one of the share. */
    fun takes(): Boolean = rate >= EVERYTHING || random.nextDouble() < rate

    private fun rateOf(text: String): Double =
        try {
            text.toDouble().takeIf(::isRate) ?: EVERYTHING
        } catch (_: NumberFormatException) {
            EVERYTHING
        }

    private fun isRate(rate: Double): Boolean = rate >= 0 && rate <= EVERYTHING

    private fun isYoungerThan(millis: Long): Boolean = clock.wallMillis() - learntAtWall in 0..millis

    private companion object {
        const val FILE = "sampling"
        const val EVERYTHING = 1.0
        const val BELIEVED_MILLIS = 24L * 60 * 60 * 1_000
        const val WORTH_SAVING_MILLIS = 60L * 60 * 1_000
    }
}
