package branchline.inspector.visual

import app.service.inspector.ServiceEventSchemaType
import app.service.inspector.ServiceEventSchemaType.ServiceFloat
import app.service.inspector.ServiceEventSchemaType.ServiceInt
import app.service.inspector.ServiceEventSchemaType.ServiceList
import app.service.inspector.ServiceEventSchemaType.ServiceObject
import app.service.inspector.ServiceEventSchemaType.ServiceString
import branchline.inspector.queue.ReportState
import branchline.inspector.queue.TrackedEvent
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertSame
import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.concurrent.thread

internal class RecentReportsTest {
    private val reports = RecentReports()

    @Test
    fun keepsTheLast200NewestFirstAndCountsAll() {
        repeat(10_000) { track("event $it") }

        val names = reports.snapshot.newestFirst.map { it.event.eventName }
        assertEquals((9_999 downTo 9_800).map { "event $it" }, names)
        assertEquals(10_000, reports.snapshot.tracked)
    }

    @Test
    fun anEventIsQueuedUntilTold() {
        track("a")
        track("b")
        reports.onState("a", ReportState.SENT)

        assertEquals(listOf(ReportState.QUEUED, ReportState.SENT), reports.snapshot.newestFirst.map { it.state })
        assertEquals(1, reports.snapshot.count(ReportState.SENT))
    }

    @Test
    fun aStateOfAnEventThatIsNotKeptChangesNothingAndTellsNobody() {
        track("a")
        val before = reports.snapshot
        var told = 0
        reports.onChange { told++ }

        reports.onState("of an earlier process", ReportState.SENT)
        reports.onState("a", ReportState.QUEUED)

        assertSame(before, reports.snapshot)
        assertEquals(0, told)
    }

    @Test
    fun everyChangeIsTold() {
        var told = 0
        reports.onChange { told++ }
        track("a")
        reports.onState("a", ReportState.FAILED)
        reports.clear()
        assertEquals(3, told)
    }

    @Test
    fun afterAClearNumbersGoOnSoThatNoneIsUsedTwice() {
        track("a")
        reports.clear()
        assertEquals(0, reports.snapshot.tracked)
        track("b")
        assertEquals(
            2,
            reports.snapshot.newestFirst
                .single()
                .number,
        )
    }

    @Test
    fun nothingIsLostBetweenThreads() {
        val writers =
            List(4) { writer ->
                thread {
                    repeat(1_000) {
                        track("$writer-$it")
                        reports.onState("$writer-$it", ReportState.SENT)
                    }
                }
            }
        writers.forEach { it.join() }

        val kept = reports.snapshot.newestFirst
        assertEquals(4_000, reports.snapshot.tracked)
        assertEquals((4_000L downTo 3_801L).toList(), kept.map { it.number })
        for (writer in 0 until 4) {
            val order = kept.map { it.event.eventName }.filter { it.startsWith("$writer-") }.map { it.substringAfter('-').toInt() }
            assertEquals(order.sortedDescending(), order)
        }
    }

    @Test
    fun aTypeThatDiffersFromTheEventBeforeIsMarkedWithWhatItWas() {
        track("buy", mapOf("price" to ServiceInt(), "user" to ServiceObject(mapOf("age" to ServiceInt(), "name" to ServiceString()))))
        track("sell", mapOf("price" to ServiceString()))
        track("buy", mapOf("price" to ServiceFloat(), "user" to ServiceObject(mapOf("age" to ServiceString(), "name" to ServiceString()))))

        val changed = reports.snapshot.newestFirst.map { it.changedTypes }
        assertEquals(mapOf(listOf("price") to ServiceInt(), listOf("user", "age") to ServiceInt()), changed[0])
        assertEquals(emptyMap<List<String>, ServiceEventSchemaType>(), changed[1])
        assertEquals(emptyMap<List<String>, ServiceEventSchemaType>(), changed[2])
    }

    @Test
    fun aPropertyThatComesOrGoesIsNoChangeOfType() {
        track("buy", mapOf("a" to ServiceInt()))
        track("buy", mapOf("b" to ServiceInt()))
        assertTrue(
            reports.snapshot.newestFirst
                .first()
                .changedTypes
                .isEmpty(),
        )
    }

    @Test
    fun aListThatHoldsOtherTypesIsAChange() {
        track("buy", mapOf("tags" to ServiceList(setOf(ServiceInt()))))
        track("buy", mapOf("tags" to ServiceList(setOf(ServiceInt(), ServiceString()))))
        assertEquals(
            setOf(listOf("tags")),
            reports.snapshot.newestFirst
                .first()
                .changedTypes.keys,
        )
    }

    @Test
    fun aStateDoesNotForgetWhatChanged() {
        track("buy", mapOf("price" to ServiceInt()))
        reports.onTracked(TrackedEvent("buy", 0, mapOf("price" to ServiceFloat()), "second"))
        reports.onState("second", ReportState.SENT)
        assertEquals(
            1,
            reports.snapshot.newestFirst
                .first()
                .changedTypes.size,
        )
    }

    @Test
    fun isFoundByEventOrPropertyAtAnyDepthInAnyCase() {
        track("Checkout Started", mapOf("items" to ServiceList(setOf(ServiceObject(mapOf("SkuCode" to ServiceString()))))))
        val report = reports.snapshot.newestFirst.single()
        for (query in listOf("checkout", "STARTED", "items", "skucode")) assertTrue(query, report.matches(query))
        for (query in listOf("string", "list", "other")) assertFalse(query, report.matches(query))
    }

    private fun track(
        name: String,
        schema: Map<String, ServiceEventSchemaType> = emptyMap(),
    ) = reports.onTracked(TrackedEvent(name, 0, schema, name))
}
