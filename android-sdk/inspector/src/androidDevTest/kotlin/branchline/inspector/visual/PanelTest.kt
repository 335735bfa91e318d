package branchline.inspector.visual

import android.content.ClipboardManager
import android.content.Context
import branchline.inspector.queue.ReportState
import branchline.inspector.visual.support.Scene
import branchline.inspector.visual.support.all
import branchline.inspector.visual.support.event
import branchline.inspector.visual.support.visitShop
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34], qualifiers = "w360dp-h720dp-xhdpi")
internal class PanelTest {
    @get:Rule
    val scene = Scene()

    @Before
    fun open() {
        scene.show().open()
    }

    @Test
    fun listsEventsNewestFirstWithStateTimeAndProperties() {
        scene.reports.onTracked(event("1", "first"))
        scene.reports.onTracked(event("2", "second"))
        scene.reports.onState("1", ReportState.SENT)
        scene.settle()
        assertEquals(listOf("second, queued", "first, sent"), scene.rows().map { it.split(", ").take(2).joinToString() })
        assertTrue(scene.rows().all { it.endsWith(", 1\u00A0property") })
    }

    @Test
    fun aStateThatChangesIsShown() {
        scene.reports.onTracked(event("1", "first"))
        scene.settle()
        assertTrue(scene.texts().any { it.startsWith("Queued") })
        scene.reports.onState("1", ReportState.FAILED)
        scene.settle()
        assertTrue(scene.texts().any { it.startsWith("Failed") })
        assertTrue(scene.texts().any { it.endsWith("1\u00A0failed") })
    }

    @Test
    fun searchesEventsAndProperties() {
        scene.reports.visitShop()
        search("COUPON")
        assertEquals(listOf("coupon_applied"), names())
        search("in_stock")
        assertEquals(listOf("product_viewed", "product_viewed"), names())
        assertTrue(scene.texts().any { it.startsWith("2 found in 6\u00A0events") })
        search("nowhere")
        assertTrue(Texts.nothingFound("nowhere") in scene.texts())
        scene.press(Texts.CLEAR_SEARCH)
        assertEquals(6, names().size)
    }

    @Test
    fun whatMatchesTheSearchAppearsWhenItIsTracked() {
        search("checkout")
        scene.reports.onTracked(event("1", "checkout_started"))
        scene.reports.onTracked(event("2", "app_opened"))
        scene.settle()
        assertEquals(listOf("checkout_started"), names())
    }

    @Test
    fun aSchemaUnfoldsAndFolds() {
        scene.reports.visitShop()
        scene.settle().unfold("checkout_started")
        val lines = scene.rows().drop(1).takeWhile { it != Texts.COPY }
        val expected =
            listOf(
                "total, float",
                "currency, string",
                "tags, list<string|null>",
                "items, list",
                "holds, object, level 2",
                "sku, string, level 3",
                "quantity, int, level 3",
                "customer, object",
                "returning, boolean, level 2",
                "orders, int, level 2",
            )
        assertEquals(expected, lines)
        scene.unfold("checkout_started")
        assertEquals(6, scene.rows().size)
    }

    @Test
    fun aTypeThatDiffersFromTheEventBeforeIsMarked() {
        scene.reports.visitShop()
        scene.settle()
        assertEquals(1, scene.rows().count { it.endsWith("1\u00A0type changed") })
        scene.unfold("product_viewed")
        assertTrue("price, float, was int" in scene.rows())
    }

    @Test
    fun anEventWithoutPropertiesSaysSo() {
        scene.reports.onTracked(event("1", "app_opened", emptyMap()))
        scene.settle().unfold("app_opened")
        assertTrue(Texts.NO_PROPERTIES in scene.rows())
    }

    @Test
    fun copiesTheSchemaAsText() {
        scene.reports.visitShop()
        scene.settle().unfold("coupon_applied")
        scene
            .view { it is CopyRow }
            .all()
            .first { it.isClickable }
            .performClick()
        val clipboard = scene.activity.getSystemService(Context.CLIPBOARD_SERVICE) as ClipboardManager
        assertEquals("coupon_applied\n  code: string\n  discount: float", clipboard.primaryClip?.getItemAt(0)?.text)
    }

    @Test
    fun clearEmptiesTheListAndNewEventsComeIn() {
        scene.reports.visitShop()
        scene.settle().unfold("checkout_started").press(Texts.CLEAR)
        assertTrue(Texts.NOTHING_YET in scene.texts())
        scene.reports.onTracked(event("1", "app_opened"))
        scene.settle()
        assertEquals(listOf("app_opened"), names())
    }

    @Test
    fun pausedItStandsStillAndResumedItCatchesUp() {
        scene.reports.onTracked(event("1", "before"))
        scene.settle().press(Texts.PAUSE)
        scene.reports.onTracked(event("2", "while paused"))
        scene.settle()
        assertEquals(listOf("before"), names())
        assertTrue(scene.texts().any { it.startsWith("Paused, 1 new") })
        scene.press(Texts.RESUME)
        assertEquals(listOf("while paused", "before"), names())
    }

    @Test
    fun tenThousandEventsLeaveTwoHundredRowsOfWhichOnlyTheVisibleAreMade() {
        repeat(10_000) { scene.reports.onTracked(event("$it", "event_$it")) }
        scene.settle()
        assertEquals(200, scene.list.count)
        assertTrue("${scene.list.childCount} rows", scene.list.childCount in 1..30)
        assertTrue(scene.texts().any { it.startsWith("last 200 of 10,000\u00A0events") })
    }

    @Test
    fun rowsAreRecycled() {
        repeat(200) { scene.reports.onTracked(event("$it", "event_$it")) }
        scene.settle()
        val row = scene.list.getChildAt(0)
        val again = scene.list.adapter.getView(150, row, scene.list)
        assertTrue(row === again)
        assertTrue(again.contentDescription.startsWith("event_49,"))
    }

    @Test
    fun whoReadsFurtherDownKeepsTheirPlace() {
        repeat(100) { scene.reports.onTracked(event("$it", "event_$it")) }
        scene.settle().list.setSelection(40)
        scene.settle()
        val reading = topName()
        scene.reports.onTracked(event("new", "new_event"))
        scene.settle()
        assertEquals(reading, topName())
    }

    @Test
    fun whoIsAtTheTopSeesWhatIsNew() {
        repeat(100) { scene.reports.onTracked(event("$it", "event_$it")) }
        scene.settle()
        scene.reports.onTracked(event("new", "new_event"))
        scene.settle()
        assertEquals("new_event", topName())
    }

    @Test
    fun aQueryIsNotOverwrittenByUpdates() {
        search("che")
        scene.search.setSelection(1)
        scene.reports.onTracked(event("1", "checkout"))
        scene.settle()
        assertEquals(1, scene.search.selectionStart)
        assertFalse(scene.texts().contains(Texts.NOTHING_YET))
    }

    private fun search(query: String) {
        scene.search.setText(query)
        scene.settle()
    }

    private fun names() = scene.rows().map { it.substringBefore(", ") }

    private fun topName() =
        scene.list
            .getChildAt(0)
            .contentDescription
            .toString()
            .substringBefore(", ")
}
