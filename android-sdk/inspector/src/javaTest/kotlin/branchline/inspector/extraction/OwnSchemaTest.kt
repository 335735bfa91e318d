package branchline.inspector.extraction

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceEventSchemaType.ServiceInt
import app.service.inspector.ServiceEventSchemaType.ServiceString
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Test

/** What an app does with the schema that it is given. */
class OwnSchemaTest {
    private val derived = mapOf("a" to ServiceInt(), "b" to ServiceInt())

    private val changes =
        mapOf<String, (MutableMap<String, ServiceEventSchemaType>) -> Unit>(
            "{a=int, b=int, c=string}" to { it["c"] = ServiceString() },
            "{a=string, b=int}" to { it["a"] = ServiceString() },
            "{b=int}" to { it.remove("a") },
            "{a=int}" to { schema -> schema.keys.removeIf { it == "b" } },
            "{}" to { it.clear() },
            "{a=string, b=string}" to { schema -> schema.replaceAll { _, _ -> ServiceString() } },
            "{a=int, b=string}" to { schema -> schema.entries.last().setValue(ServiceString()) },
        )

    @Test
    fun `it can be changed in each way, and what was derived stays`() {
        for ((expected, change) in changes) {
            val own = OwnSchema(derived)
            assertEquals(derived, own)
            change(own)
            assertEquals(expected, own.toString())
            assertEquals("{a=int, b=int}", derived.toString())
        }
    }

    @Test
    fun `it is the same map before and after it is copied`() {
        val own = OwnSchema(derived)
        repeat(2) {
            assertEquals(2, own.size)
            assertEquals(ServiceInt(), own["a"])
            assertNull(own["c"])
            assertEquals(derived.hashCode(), own.hashCode())
            assertEquals(own, derived)
            own.entries.size
        }
    }

    @Test
    fun `views stay views`() {
        val own = OwnSchema(derived)
        val names = own.keys
        own["c"] = ServiceString()
        assertEquals(listOf("a", "b", "c"), names.toList())
        names.remove("c")
        assertEquals(derived, own)
    }
}
