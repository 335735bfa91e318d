package branchline.inspector.wire

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceEventSchemaType.ServiceBoolean
import app.service.inspector.ServiceEventSchemaType.ServiceFloat
import app.service.inspector.ServiceEventSchemaType.ServiceInt
import app.service.inspector.ServiceEventSchemaType.ServiceList
import app.service.inspector.ServiceEventSchemaType.ServiceNull
import app.service.inspector.ServiceEventSchemaType.ServiceObject
import app.service.inspector.ServiceEventSchemaType.ServiceString
import app.service.inspector.ServiceEventSchemaType.ServiceUnknownType
import branchline.inspector.queue.EventEncoder
import branchline.inspector.queue.TrackedEvent
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotEquals
import org.junit.Test

internal class SchemaTypesTest {
    @Test
    fun `types are equal when they describe the same values`() {
        for ((index, type) in every().withIndex()) {
            assertEquals(type, every()[index])
            assertEquals(type.hashCode(), every()[index].hashCode())
            for (other in every().indices - index) assertNotEquals(type, every()[other])
        }
        assertNotEquals(ServiceObject(mapOf("a" to ServiceInt())), ServiceObject(mapOf("b" to ServiceInt())))
        assertEquals(ServiceList(setOf(ServiceInt(), ServiceNull())), ServiceList(setOf(ServiceNull(), ServiceInt())))
    }

    @Test
    fun `their text is short`() {
        assertEquals("[int, float, boolean, string, null, unknown]", leaves().toString())
        val user = ServiceObject(mapOf("name" to ServiceString(), "tags" to ServiceList(setOf(ServiceInt(), ServiceNull()))))
        assertEquals("{name: string, tags: list<int|null>}", user.toString())
    }

    @Test
    fun `later changes of what they were made of do not reach them`() {
        val subtypes = mutableSetOf<ServiceEventSchemaType>(ServiceInt())
        val children = mutableMapOf<String, ServiceEventSchemaType>("a" to ServiceInt())
        val types = listOf(ServiceList(subtypes), ServiceObject(children)).map { it to it.toString() }
        subtypes += ServiceNull()
        children.clear()
        for ((type, before) in types) assertEquals(before, type.toString())
    }

    @Test
    fun `nulls of Java code are left out`() {
        assertEquals(ServiceList(setOf(ServiceInt())), JavaTypes.listWithNull())
        assertEquals(ServiceObject(mapOf("name" to ServiceString())), JavaTypes.objectWithNulls())
    }

    @Test
    fun `an event is written as the contract says`() {
        val schema =
            mapOf(
                "tags" to ServiceList(setOf(ServiceString(), ServiceObject(mapOf("deep" to ServiceList(emptySet()))))),
                "price" to ServiceFloat(),
            )
        val event = TrackedEvent("Product Viewed", 1_767_323_045_678, schema, "an id")
        val expected =
            """{"messageId":"an id","eventName":"Product Viewed","observedAt":"2026-01-02T03:04:05.678Z","schema":[""" +
                """{"name":"price","type":"float"},""" +
                """{"name":"tags","type":"list","items":[""" +
                """{"type":"object","properties":[{"name":"deep","type":"list","items":[]}]},{"type":"string"}]}]}"""
        assertEquals(expected, EventEncoder.encode(event, "1.0.0")?.json)
    }

    private fun every() = leaves() + ServiceList(leaves().toSet()) + ServiceObject(mapOf("a" to ServiceInt()))

    private fun leaves() = listOf(ServiceInt(), ServiceFloat(), ServiceBoolean(), ServiceString(), ServiceNull(), ServiceUnknownType())
}
