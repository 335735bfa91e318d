package branchline.inspector.batching

import branchline.inspector.platform.Clock
import branchline.inspector.platform.RandomSource
import branchline.inspector.queue.Disk
import branchline.inspector.queue.DiskFailure

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

    /** The rate in force. */
    val rate: Double
        get() = if (clock.wallMillis() - learntAtWall in 0..BELIEVED_MILLIS) learnt else EVERYTHING

    /** Reads what an earlier process learnt. */
    fun load() {
        val fields = text().split(' ')
        val rate = fields[0].toDoubleOrNull()?.takeIf { it in 0.0..1.0 } ?: return
        learnt = rate
        learntAtWall = fields.getOrNull(1)?.toLongOrNull() ?: 0
    }

    /** Takes the rate of a receipt. */
    fun learn(rate: Double) {
        if (rate !in 0.0..1.0) return
        val isNews = rate != learnt || clock.wallMillis() - learntAtWall !in 0..WORTH_SAVING_MILLIS
        learnt = rate
        learntAtWall = clock.wallMillis()
        if (isNews) save()
    }

    /** Whether the next event is one of the share. */
    fun takes(): Boolean = rate >= EVERYTHING || random.nextDouble() < rate

    private fun save() {
        try {
            if (learnt == EVERYTHING) shared.delete(FILE) else shared.replace(FILE, "$learnt $learntAtWall".encodeToByteArray())
        } catch (_: DiskFailure) {
            return
        }
    }

    private fun text(): String =
        try {
            shared.read(FILE)?.decodeToString().orEmpty()
        } catch (_: DiskFailure) {
            ""
        }

    private companion object {
        const val FILE = "sampling"
        const val EVERYTHING = 1.0
        const val BELIEVED_MILLIS = 24L * 60 * 60 * 1_000
        const val WORTH_SAVING_MILLIS = 60L * 60 * 1_000
    }
}
