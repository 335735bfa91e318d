package branchline.inspector.visual

import android.view.View
import android.view.accessibility.AccessibilityNodeInfo
import android.widget.EditText
import android.widget.TextView
import app.service.inspector.DebuggerMode
import branchline.inspector.visual.support.Scene
import branchline.inspector.visual.support.all
import branchline.inspector.visual.support.visitShop
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34], qualifiers = "w360dp-h720dp-xhdpi")
internal class AccessibilityTest {
    @get:Rule
    val scene = Scene().apply { reports.visitShop() }
    private val target by lazy { 48 * scene.activity.resources.displayMetrics.density }

    @Test
    fun whatCanBeTouchedIsAtLeast48DpAndSaysWhatItIs() {
        for (mode in DebuggerMode.values()) {
            scene.show(mode)
            check(touchables())
        }
        scene.open().unfold("checkout_started")
        scene.search.setText("e")
        scene.settle()
        check(touchables())
        check(scene.list.all().filterIsInstance<EventRow>())
    }

    @Test
    fun anEventUnfoldsByItsAction() {
        scene.show().open()
        val row = scene.view { it is EventRow }
        assertTrue(AccessibilityNodeInfo.AccessibilityAction.ACTION_EXPAND in readActions(row))
        row.performAccessibilityAction(AccessibilityNodeInfo.ACTION_EXPAND, null)
        scene.settle()
        assertTrue(AccessibilityNodeInfo.AccessibilityAction.ACTION_COLLAPSE in readActions(scene.view { it is EventRow }))
        assertTrue(Texts.COPY in scene.rows())
    }

    @Test
    fun thePanelIsNamedAsAPane() {
        scene.show().open()
        assertEquals(Texts.PANE_TITLE, scene.view { it is Panel }.accessibilityPaneTitle)
    }

    @Test
    fun readsControlsThenSearchThenEventsThenCounts() {
        scene.show().open()
        val tops =
            listOf(PanelHeader::class, SearchField::class, EventList::class, Footer::class).map { part ->
                checkNotNull(scene.overlay).all().indexOfFirst { it::class == part }
            }
        assertEquals(tops.sorted(), tops)
    }

    private fun readActions(row: View) = row.createAccessibilityNodeInfo().actionList

    private fun touchables() = checkNotNull(scene.overlay).all().filter { it.isShown && (it.hasOnClickListeners() || it is EditText) }

    private fun check(views: List<View>) {
        assertTrue(views.isNotEmpty())
        for (view in views) {
            val spoken = view.contentDescription ?: (view as? TextView)?.run { text.ifEmpty { hint } }
            assertTrue("$view says nothing", !spoken.isNullOrBlank())
            assertTrue("$spoken is ${view.width} × ${view.height}", view.width >= target && view.height >= target)
        }
    }
}
