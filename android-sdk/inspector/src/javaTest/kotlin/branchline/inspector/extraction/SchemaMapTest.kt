package branchline.inspector.extraction

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceEventSchemaType.ServiceInt
import app.service.inspector.ServiceEventSchemaType.ServiceObject
import app.service.inspector.ServiceEventSchemaType.ServiceString
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertSame
import org.junit.Assert.assertTrue
import org.junit.Test

class SchemaMapTest {
    @Test
    fun `it is the map that a hash map would be, whatever was expected`() {
        for (count in listOf(0, 1, 15, 16, 17, 33, 500)) {
            for (expected in listOf(0, 1, count, 500)) {
                val names = names(count)
                val map = SchemaMap(expected)
                names.forEach { assertTrue(map.add(it, typeOf(it))) }
                assertEqualMaps(names.associateWithTo(LinkedHashMap(), ::typeOf), map)
                names.forEach { assertEquals(typeOf(it), map[it]) }
            }
        }
    }

    @Test
    fun `the first of two equal names counts`() {
        for (count in listOf(1, 40)) {
            val map = SchemaMap(1).also { map -> names(count).forEach { map.add(it, STRING) } }
            names(count).forEach { assertFalse(map.add(String(it.toCharArray()), INT)) }
            assertEqualMaps(names(count).associateWithTo(LinkedHashMap()) { STRING }, map)
        }
    }

    @Test
    fun `what is not in it is not found, also names of the same hash`() {
        for (count in listOf(1, 2, 40)) {
            val map = SchemaMap(count).also { map -> names(count).drop(1).forEach { map.add(it, INT) } }
            assertNull(map[names(count).first()])
            assertFalse("nothing" in map)
        }
    }

    @Test
    fun `Java can look for what no name is`() {
        val map: Map<*, *> = SchemaMap(1).also { it.add("a", INT) }
        assertNull(map[null as Any?])
        assertFalse(map.containsKey(1 as Any))
    }

    @Test
    fun `Java can't change it`() {
        val map = SchemaMap(1).also { it.add("a", INT) }
        for (change in JavaChanges.of("a", STRING)) {
            try {
                change.accept(map)
            } catch (_: UnsupportedOperationException) {
                continue
            } finally {
                assertEquals("{a=int}", map.toString())
            }
        }
    }

    @Test
    fun `an object's type shares it, and copies any other map`() {
        val map = SchemaMap(1).also { it.add("a", INT) }
        assertSame(map, ServiceObject(map).children)
        val own = OwnSchema(map)
        val type = ServiceObject(own)
        own["b"] = INT
        assertEquals("{a: int}", type.toString())
    }

    private fun assertEqualMaps(
        expected: Map<String, ServiceEventSchemaType>,
        actual: Map<String, ServiceEventSchemaType>,
    ) {
        assertEquals(expected, actual)
        assertEquals(actual, expected)
        assertEquals(expected.hashCode(), actual.hashCode())
        assertEquals(expected.toString(), actual.toString())
        assertEquals(expected.entries.toList(), actual.entries.toList())
        assertEquals(actual.entries, expected.entries)
        assertEquals(expected.values.toList(), actual.values.toList())
        assertEquals(expected.size, actual.size)
    }

    /** Pairs of the same hash. */
    private fun names(count: Int) = List(count) { (if (it % 2 == 0) "Aa" else "BB") + it / 2 }

    private fun typeOf(name: String) = if (name.startsWith("A")) INT else STRING

    private companion object {
        val INT: ServiceEventSchemaType = ServiceInt()
        val STRING: ServiceEventSchemaType = ServiceString()
    }
}
