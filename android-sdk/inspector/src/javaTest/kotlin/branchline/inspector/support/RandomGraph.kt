package branchline.inspector.support

import java.math.BigDecimal
import java.util.AbstractMap.SimpleEntry
import java.util.Date
import java.util.UUID
import kotlin.random.Random

/** Object graphs of any shape, and as unkind as apps can make them: they hold themselves, lie about their size and throw. */
internal class RandomGraph(
    private val random: Random,
) {
    /** What was made already, to be held again. */
    private val made = ArrayList<Any?>()

    fun next(): Any {
        made.clear()
        return members(random.nextInt(1, DEEPEST))
    }

    private fun value(levels: Int): Any? {
        val kind = random.nextInt(if (levels > 0) KINDS else FLAT_KINDS)
        return when (kind) {
            0 -> null
            1 -> random.nextInt()
            2 -> text()
            3 -> random.nextDouble()
            4 -> random.nextBoolean()
            5 -> flats.random(random)
            6 -> primitives.random(random)
            7 -> made.randomOrNull(random)
            8 -> throwing(random)
            9 -> kept(Holder()).also { it.fill(::value, levels - 1) }
            10 -> kept(arrayOfNulls<Any>(width())).also { array -> array.indices.forEach { array[it] = value(levels - 1) } }
            11 -> elements(levels)
            12, 13, 14 -> members(levels)
            else -> Unkind(elements(levels), random)
        }
    }

    private fun elements(levels: Int) = kept(ArrayList<Any?>()).also { list -> repeat(width()) { list += value(levels - 1) } }

    private fun members(levels: Int) = kept(HashMap<Any?, Any?>()).also { map -> repeat(width()) { map[key()] = value(levels - 1) } }

    private fun <T> kept(holder: T): T = holder.also { made.add(it) }

    private fun key(): Any? = if (random.nextInt(RARE) == 0) unkindKeys.random(random) else text()

    private fun text(): String = String(CharArray(random.nextInt(LONGEST)) { random.nextInt(CHARS).toChar() })

    /** Now and then more than the library looks at. */
    private fun width(): Int = if (random.nextInt(VERY_RARE) == 0) WIDEST else random.nextInt(WIDTH)

    @Suppress("unused")
    private class Holder {
        private var first: Any? = null
        private var second: Any? = null
        private val number = 1

        fun fill(
            value: (Int) -> Any?,
            levels: Int,
        ) {
            first = value(levels)
            second = value(levels)
        }
    }

    /** Ends with a fault, and does not know its size. */
    private class Unkind(
        private val elements: Collection<Any?>,
        private val random: Random,
    ) : AbstractMap<Any?, Any?>() {
        override val size: Int get() = random.nextInt()

        override val entries: Set<Map.Entry<Any?, Any?>>
            get() =
                object : AbstractSet<Map.Entry<Any?, Any?>>() {
                    override val size: Int get() = throw IllegalStateException()

                    override fun iterator() = (elements.asSequence().map { SimpleEntry(it, it) } + sequence { throwAny(random) }).iterator()
                }
    }

    private companion object {
        const val DEEPEST = 14
        const val FLAT_KINDS = 9
        const val KINDS = 16
        const val WIDTH = 5
        const val WIDEST = 1_100
        const val RARE = 20
        const val VERY_RARE = 1_000
        const val LONGEST = 8
        const val CHARS = 0x10000
        val flats = listOf(1.toByte(), 2L, 3f, 'c', BigDecimal.ONE, UUID(1, 2), Date(0), StringBuilder("s"), Thread.currentThread(), 4u)
        val primitives = listOf(intArrayOf(1), DoubleArray(0), booleanArrayOf(true), charArrayOf('c'), ByteArray(3))
        val faults =
            listOf<() -> Throwable>(
                { IllegalStateException() },
                { StackOverflowError() },
                { OutOfMemoryError() },
                { NoClassDefFoundError() },
                { InterruptedException() },
            )
        val unkindKeys = listOf(null, 1, Unspeakable(), listOf(1))

        fun throwAny(random: Random): Nothing = throw faults.random(random).invoke()

        fun throwing(random: Random): Iterable<Any?> = Iterable { throwAny(random) }
    }

    private class Unspeakable {
        override fun toString(): String = throw IllegalStateException()
    }
}
