package branchline.inspector.extraction

import org.junit.Assert.assertEquals
import org.junit.Test

/** What is read of an object. */
@Suppress("unused", "UNUSED_PARAMETER")
internal class ObjectsTest {
    private val bench = ExtractionBench()

    private data class Product(
        val sku: String,
        val price: Double,
        val tags: List<String>,
    )

    private open class Vehicle(
        protected val wheels: Int,
        private val name: String = "vehicle",
    )

    private class Car(
        private val name: Any?,
    ) : Vehicle(4)

    private class Model(
        val number: Long,
    ) : Thread()

    private class Careful(
        @Transient val secret: String,
        val shown: Int,
    ) {
        val late by lazy { shown }

        companion object {
            @JvmField
            val shared = Thread()
        }
    }

    private inner class Inner(
        val a: Int,
    )

    @Test
    fun `a data class is an object of its fields`() {
        assertEquals("{sku: string, price: float, tags: list<string>}", bench.textOf(Product("s", 1.0, listOf("t"))))
        assertEquals("{first: int, second: {sku: string, price: float, tags: list<>}}", bench.textOf(1 to Product("s", 1.0, emptyList())))
    }

    @Test
    fun `fields of superclasses count, and the subclass wins over one of the same name`() {
        assertEquals("{name: null, wheels: int}", bench.textOf(Car(null)))
    }

    @Test
    fun `fields of the platform's superclasses do not count`() = assertEquals("{number: int}", bench.textOf(Model(1)))

    @Test
    fun `static, transient and compiler-made fields do not count`() {
        assertEquals("{shown: int}", bench.textOf(Careful("secret", 1)))
        assertEquals("{a: int}", bench.textOf(Inner(1)))
    }

    @Test
    fun `a record and an object without fields are objects`() {
        assertEquals("{x: int, y: string}", bench.textOf(JavaShapes.record()))
        assertEquals("{}", bench.typeOf(object {}))
    }

    @Test
    fun `Java objects are read as Kotlin's are`() =
        assertEquals("{total: float, lines: list<{sku: string, count: int}|null>, base: boolean}", bench.textOf(JavaShapes.order()))
}
