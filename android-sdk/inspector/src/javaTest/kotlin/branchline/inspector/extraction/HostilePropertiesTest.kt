package branchline.inspector.extraction

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceEventSchemaType.ServiceInt
import app.service.inspector.ServiceEventSchemaType.ServiceList
import app.service.inspector.ServiceEventSchemaType.ServiceObject
import branchline.inspector.support.SeededRandom
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import java.util.AbstractMap.SimpleEntry
import kotlin.concurrent.thread

/** Properties that other libraries fall over: nothing is thrown, the work stays small, and what can be read is read. */
internal class HostilePropertiesTest {
    private val bench = ExtractionBench()

    @Test
    fun `what holds itself is unknown`() {
        val map = HashMap<String, Any>().also { it["self"] = it }
        val list = ArrayList<Any>(listOf(1)).also { it.add(it) }
        val array = arrayOfNulls<Any>(1).also { it[0] = it }
        assertEquals("{self: unknown}", bench.textOf(map))
        assertEquals("list<int|unknown>", bench.typeOf(list))
        assertEquals("list<unknown>", bench.typeOf(array))
        assertEquals("{next: {next: unknown}}", bench.textOf(Node().also { it.next = Node(it) }))
    }

    @Test
    fun `the same object twice is no cycle`() {
        val same = mapOf("a" to 1)
        assertEquals("{x: {a: int}, y: list<{a: int}>}", bench.textOf(mapOf("x" to same, "y" to listOf(same, same))))
    }

    @Test
    fun `values nest ten levels, and what would hold an eleventh is unknown`() {
        assertEquals("{a: ".repeat(9) + "int" + "}".repeat(9), bench.typeOf(nested(9)))
        assertEquals("{a: ".repeat(9) + "unknown" + "}".repeat(9), bench.typeOf(nested(10)))
        assertEquals("{a: ".repeat(9) + "unknown" + "}".repeat(9), bench.typeOf(nested(100_000)))
        assertEquals("list<".repeat(9) + "unknown" + ">".repeat(9), bench.typeOf(generateSequence<Any>(1) { listOf(it) }.elementAt(10)))
    }

    @Test
    fun `each fault costs the property that has it`() {
        val faults =
            listOf(IllegalStateException(), StackOverflowError(), OutOfMemoryError(), NoClassDefFoundError(), InterruptedException())
        for (fault in faults) {
            val properties =
                MapOf(entry("a", 1), Throwing("bad", fault), entry("b", ThrowingList(fault)), entry("c", "x"))
            assertEquals("{a: int, bad: unknown, b: unknown, c: string}", bench.textOf(properties))
        }
    }

    @Test
    fun `a key whose toString throws, never ends or is null is left out, which is said once`() {
        val keys = listOf(Key { throw IllegalStateException() }, Key { recursive(0) }, JavaKeys.saysNull())
        repeat(2) { assertEquals("{b: int}", bench.textOf(keys.associateWith<Any, Any> { 1 } + ("b" to 2))) }
        assertEquals(listOf(Finding.explain(Finding.UNNAMED)), bench.log.warnings)
    }

    @Test
    fun `a map that can't be walked through is unknown, and as properties empty`() {
        val unwalkable = MapOf({ throw IllegalStateException() })
        val closed =
            object : AbstractMap<String, Any>() {
                override val entries: Set<Map.Entry<String, Any>> get() = throw IllegalStateException()
            }
        for (map in listOf(unwalkable, closed)) {
            assertEquals("unknown", bench.typeOf(map))
            assertEquals("{}", bench.textOf(map))
        }
        assertEquals(listOf(Finding.explain(Finding.FAILED)), bench.log.warnings)
    }

    @Test
    fun `deep recursion in the app leaves no room, and still nothing is thrown`() {
        var schemas = 0

        fun descend(): Unit =
            try {
                descend()
            } catch (_: StackOverflowError) {
                bench.schemaOf(mapOf("a" to nested(5)))
                schemas++
                Unit
            }
        thread { descend() }.join()
        assertTrue("$schemas", schemas > 0)
    }

    @Test
    fun `a map that changes while it is read costs nothing but itself`() {
        val shared = HashMap<String, Any>()
        val list = ArrayList<Any>()
        var stopped = false
        val writer =
            thread {
                val random = SeededRandom(1)
                while (!stopped) {
                    shared["k${random.nextLong() % 50}"] = 1
                    shared.remove("k${random.nextLong() % 50}")
                    if (list.size < 100) list.add(1) else list.clear()
                }
            }
        repeat(2_000) {
            val schema = bench.schemaOf(mapOf("before" to 1, "shared" to shared, "list" to list, "after" to "x"))
            assertEquals(setOf("before", "shared", "list", "after"), schema.keys)
            assertEquals("string", schema["after"].toString())
        }
        stopped = true
        writer.join()
    }

    @Test
    fun `a map that changed once while it was read is read again`() {
        var reads = 0
        val first = entry("a", 1)
        val map = MapOf({ if (reads++ == 0) sequenceOf(first, null) else sequenceOf(first, entry("b", 2)) })
        assertEquals("{a: int, b: int}", bench.typeOf(map))
        assertEquals("{a: int}", bench.typeOf(MapOf(first, null)))
    }

    @Test
    fun `a huge list is looked at as far as its first thousand elements`() {
        var read = 0
        val huge = List(1_000_000) { it }.asSequence().onEach { read++ }.asIterable()
        assertEquals("list<int>", bench.typeOf(huge))
        assertTrue("$read were read", read <= ExtractionLimits.MAX_ELEMENTS + 1)
        assertEquals("list<int>", bench.typeOf(generateSequence(0) { it + 1 }.asIterable()))
        assertEquals(1, bench.log.lines.size)
    }

    @Test
    fun `a map that has no end is left, whatever its keys are`() {
        val mute = Key { throw IllegalStateException() }
        for (key in listOf("same", mute)) assertTrue(bench.schemaOf(MapOf({ generateSequence { entry(key, 1) } })).size <= 1)
        assertEquals(500, bench.schemaOf(MapOf({ generateSequence(0) { it + 1 }.map { entry("p$it", 1) } })).size)
    }

    @Test
    fun `the work for one event is bounded, and flat properties are still read`() {
        var read = 0
        val wide: Any = generateSequence<Any>(1) { inner -> List(1_000) { inner }.asSequence().onEach { read++ }.asIterable() }.elementAt(8)
        assertEquals("{wide: list<list<list<list<list<list<list<list<int>>>>>>>>, name: string, list: unknown}", textWithoutTail(wide))
        assertTrue("$read were read", read <= ExtractionLimits.MAX_VALUES + 10)
    }

    private fun textWithoutTail(wide: Any) =
        bench.textOf(linkedMapOf("wide" to wide, "name" to "x", "list" to listOf(1))).replace("|unknown", "")

    @Test
    fun `five hundred properties are reported, nested ones counted, and the cut is said once`() {
        val wide = (1..600).associate { "p$it" to it }
        repeat(3) { assertEquals(500, bench.schemaOf(wide).size) }
        assertEquals(listOf(Finding.explain(Finding.TOO_MANY_PROPERTIES)), bench.log.warnings)
        val nested = bench.schemaOf(linkedMapOf("a" to 1, "wide" to wide, "z" to 1))
        assertEquals(500, count(nested))
        assertEquals(setOf("a", "wide"), nested.keys)
    }

    @Test
    fun `a thousand objects of one shape count once`() {
        val rows = List(1_000) { (1..100).associate { "p$it" to it } }
        val schema = bench.schemaOf(linkedMapOf("rows" to rows, "z" to 1))
        assertEquals(102, count(schema))
        assertEquals(emptyList<String>(), bench.log.warnings.filter { it == Finding.explain(Finding.TOO_MANY_PROPERTIES) })
    }

    @Test
    fun `names are made such as the service takes`() {
        val schema = bench.schemaOf(linkedMapOf("n".repeat(2_000) to 1, "a\u0000b" to 1, "\uD83D" to 1, "\uD83D\uDE00" to 1, "" to 1))
        assertEquals(listOf("n".repeat(1_024), "a\uFFFDb", "\uFFFD", "\uD83D\uDE00", ""), schema.keys.toList())
        assertEquals("n".repeat(1_023) + "\uFFFD", bench.schemaOf(mapOf("n".repeat(1_023) + "\uD83D\uDE00" to 1)).keys.single())
    }

    @Test
    fun `a schema that the app made is cut to what the service takes`() {
        val deep = generateSequence<ServiceEventSchemaType>(ServiceInt()) { ServiceObject(mapOf("a" to it)) }.elementAt(20)
        val lists = generateSequence<ServiceEventSchemaType>(ServiceInt()) { ServiceList(setOf(it)) }.elementAt(20)
        val fitting = bench.fit(mapOf("deep" to deep, "lists" to lists, "\u0000" to ServiceInt()))
        assertEquals("{a: ".repeat(9) + "unknown" + "}".repeat(9), fitting["deep"].toString())
        assertEquals("list<".repeat(9) + "unknown" + ">".repeat(9), fitting["lists"].toString())
        assertEquals(setOf("deep", "lists", "\uFFFD"), fitting.keys)
        assertEquals(500, bench.fit((1..600).associate { "p$it" to ServiceInt() }).size)
        assertEquals(emptyMap<String, Any>(), bench.fit(null))
    }

    private fun entry(
        key: Any,
        value: Any?,
    ): Map.Entry<Any, Any?> = SimpleEntry(key, value)

    private fun nested(levels: Int) = generateSequence<Any>(1) { mapOf("a" to it) }.elementAt(levels)

    private fun count(schema: Map<String, ServiceEventSchemaType>): Int = schema.values.sumOf { 1 + countIn(it) }

    private fun countIn(type: ServiceEventSchemaType): Int =
        when (type) {
            is ServiceObject -> count(type.children)
            is ServiceList -> type.subtypes.sumOf { countIn(it) }
            else -> 0
        }

    private fun recursive(n: Int): String = recursive(n + 1) + n

    private class Node(
        @JvmField var next: Node? = null,
    )

    private class Key(
        private val text: () -> String,
    ) {
        override fun toString(): String = text()
    }

    /** A map of just these entries; at a null in place of one it is a map that was changed meanwhile. */
    private class MapOf(
        private val all: () -> Sequence<Map.Entry<Any, Any?>?>,
    ) : AbstractMap<Any, Any?>() {
        constructor(vararg all: Map.Entry<Any, Any?>?) : this({ all.asSequence() })

        override val entries: Set<Map.Entry<Any, Any?>> =
            object : AbstractSet<Map.Entry<Any, Any?>>() {
                /** Of a map without an end, a number that is not counted for minutes. */
                override val size: Int get() = all().take(COUNTED).count()

                override fun iterator() = all().map { it ?: throw ConcurrentModificationException() }.iterator()
            }
    }

    private companion object {
        const val COUNTED = 10_000
    }

    private class Throwing(
        override val key: String,
        private val fault: Throwable,
    ) : Map.Entry<Any, Any?> {
        override val value: Any? get() = throw fault
    }

    private class ThrowingList(
        private val fault: Throwable,
    ) : AbstractList<Any?>() {
        override val size: Int get() = throw fault

        override fun get(index: Int): Any = throw fault
    }
}
