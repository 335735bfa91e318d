package branchline.inspector.extraction

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceEventSchemaType.ServiceList
import app.service.inspector.ServiceEventSchemaType.ServiceObject
import branchline.inspector.queue.EventEncoder
import branchline.inspector.queue.TrackedEvent
import branchline.inspector.support.RandomGraph
import branchline.inspector.wire.InspectorContract
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.random.Random

class RandomGraphsTest {
    private val bench = ExtractionBench()

    /** By default a few; `-Dgraphs=1000000` has more. */
    @Test
    fun `whatever an app tracks, nothing is thrown, and the schema is one that the service takes`() {
        val count = Integer.getInteger("graphs", 20_000)
        val graph = RandomGraph(Random(7))
        repeat(count) { number -> check(number, graph.next()) }
        println("Schemas of $count random object graphs, of which $nested hold others: nothing was thrown.")
        assertTrue("$nested", nested > count / 2)
    }

    private var nested = 0

    private fun check(
        number: Int,
        properties: Any?,
    ) {
        val schema = bench.schemaOf(properties)
        assertTrue("graph $number", count(schema) <= InspectorContract.MAX_PROPERTIES)
        assertTrue("graph $number", depth(schema) <= InspectorContract.MAX_DEPTH)
        assertEquals("graph $number", schema, bench.fit(schema))
        assertNotNull("graph $number", EventEncoder.encode(TrackedEvent("Event", 0, schema, "id"), "1.0.0"))
        if (depth(schema) > 1) nested++
    }

    private fun count(schema: Map<String, ServiceEventSchemaType>): Int = schema.values.sumOf { 1 + countIn(it) }

    private fun countIn(type: ServiceEventSchemaType): Int =
        when (type) {
            is ServiceObject -> count(type.children)
            is ServiceList -> type.subtypes.sumOf(::countIn)
            else -> 0
        }

    private fun depth(schema: Map<String, ServiceEventSchemaType>): Int = 1 + (schema.values.maxOfOrNull(::depthIn) ?: -1)

    private fun depthIn(type: ServiceEventSchemaType): Int =
        when (type) {
            is ServiceObject -> depth(type.children)
            is ServiceList -> 1 + (type.subtypes.maxOfOrNull(::depthIn) ?: -1)
            else -> 0
        }
}
