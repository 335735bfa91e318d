package branchline.inspector.extraction

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceEventSchemaType.ServiceBoolean
import app.service.inspector.ServiceEventSchemaType.ServiceFloat
import app.service.inspector.ServiceEventSchemaType.ServiceInt
import app.service.inspector.ServiceEventSchemaType.ServiceList
import app.service.inspector.ServiceEventSchemaType.ServiceNull
import app.service.inspector.ServiceEventSchemaType.ServiceObject
import app.service.inspector.ServiceEventSchemaType.ServiceString
import app.service.inspector.ServiceEventSchemaType.ServiceUnknownType
import org.junit.Assert.assertEquals
import org.junit.Test
import java.math.BigDecimal
import java.math.BigInteger
import java.net.URI
import java.net.URL
import java.time.Instant
import java.time.LocalDate
import java.util.ArrayDeque
import java.util.Date
import java.util.TreeSet
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger

/** Which type stands for which class. */
@OptIn(kotlin.time.ExperimentalTime::class, kotlin.uuid.ExperimentalUuidApi::class)
internal class TypesTest {
    private val bench = ExtractionBench()

    private fun expect(
        type: String,
        vararg values: Any?,
    ) = values.forEach { assertEquals("$it of ${it?.javaClass}", type, bench.typeOf(it)) }

    @Test
    fun `whole numbers are int`() = expect("int", 1.toByte(), 2.toShort(), 3, 4L, BigInteger.TEN, 5u, 6uL, 7.toUByte(), 8.toUShort())

    @Test
    fun `numbers with a fraction are float, also without a value behind the point`() = expect("float", 1f, 2.0, Double.NaN, BigDecimal.ONE)

    @Test
    fun `truth is boolean`() = expect("boolean", true, false)

    @Test
    fun `text and what is written as text is string`() =
        expect(
            "string",
            "text",
            StringBuilder("text"),
            'c',
            Suit.HEARTS,
            Suit.SPADES,
            UUID.randomUUID(),
            Date(0),
            java.sql.Timestamp(0),
            Instant.EPOCH,
            LocalDate.EPOCH,
            `j$`.time.Instant(),
            kotlin.time.Instant.DISTANT_PAST,
            kotlin.uuid.Uuid.NIL,
            URI("a:b"),
            URL("https://example.com"),
        )

    @Test
    fun `a type stands for itself`() {
        for (type in listOf("int", "float", "boolean", "string", "null", "unknown")) expect(type, flat.single { it.toString() == type })
        expect("list<int|null>", ServiceList(setOf(ServiceInt(), ServiceNull())))
        expect("{a: {b: int}}", ServiceObject(mapOf("a" to ServiceObject(mapOf("b" to ServiceInt())))))
        expect("list<null>", listOf(ServiceNull()))
    }

    @Test
    fun `a type keeps the limits of a schema`() {
        var deep: ServiceEventSchemaType = ServiceInt()
        repeat(20) { deep = ServiceObject(mapOf("a" to deep)) }
        assertEquals("{a: ".repeat(9) + "unknown" + "}".repeat(9), bench.typeOf(deep))
        val wide = ServiceObject((1..600).associate { "p$it" to ServiceInt() })
        assertEquals(499, (bench.schemaOf(mapOf("wide" to wide))["wide"] as ServiceObject).children.size)
    }

    private val flat = listOf(ServiceInt(), ServiceFloat(), ServiceBoolean(), ServiceString(), ServiceNull(), ServiceUnknownType())

    @Test
    fun `null is null`() = expect("null", null)

    @Test
    fun `a list has the distinct types of its elements, nulls included`() {
        expect("list<int>", listOf(1, 2L), setOf(1), TreeSet(setOf(1)), ArrayDeque(listOf(1)), arrayOf(1), arrayOf<Any>(1))
        expect("list<string|null>", listOf("a", null, "b"), arrayOf("a", null))
        expect("list<>", emptyList<Int>(), emptyArray<String>(), IntArray(0))
        expect("list<list<int>|float>", listOf(listOf(1), 2.0, listOf(3)))
    }

    @Test
    fun `arrays of primitives are lists`() {
        expect("list<int>", longArrayOf(1), intArrayOf(1, 2), shortArrayOf(1), byteArrayOf(1), arrayOf<Long>(1L))
        expect("list<float>", doubleArrayOf(1.0), floatArrayOf(1f))
        expect("list<boolean>", booleanArrayOf(true))
        expect("list<string>", charArrayOf('c'))
    }

    @Test
    fun `equal objects in a list are one type, others are more`() =
        expect("list<{a: int}|{a: string}>", arrayOf(mapOf("a" to 1), mapOf("a" to 2), mapOf("a" to "x")))

    @Test
    fun `a map is an object, its keys taken as text`() {
        expect("{1: int, null: string, HEARTS: float}", linkedMapOf(1 to 1, null to "n", Suit.HEARTS to 1.0))
        expect("{a: int}", ConcurrentHashMap(mapOf("a" to 1)))
    }

    @Test
    fun `of the platform's other classes nothing is known`() =
        expect("unknown", Thread.currentThread(), String::class.java, AtomicInteger(1), sequenceOf(1), Any(), listOf(1).iterator())

    @Test
    fun `properties may be null, a map or an object, and nothing else`() {
        assertEquals("{}", bench.textOf(null))
        assertEquals("{}", bench.textOf(emptyMap<String, Any>()))
        assertEquals(emptyList<String>(), bench.log.warnings)
        for (other in listOf("text", 1, listOf(mapOf("a" to 1)), intArrayOf(1), UUID.randomUUID())) assertEquals("{}", bench.textOf(other))
        assertEquals(listOf(Finding.explain(Finding.NO_PROPERTIES)), bench.log.warnings)
    }

    private enum class Suit {
        HEARTS,
        SPADES {
            @Suppress("unused")
            val color = "black"
        },
    }
}
