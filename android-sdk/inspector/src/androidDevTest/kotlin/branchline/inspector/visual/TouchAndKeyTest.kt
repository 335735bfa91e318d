package branchline.inspector.visual

import android.view.KeyEvent
import app.service.inspector.DebuggerMode
import branchline.inspector.visual.support.Scene
import branchline.inspector.visual.support.visitShop
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34], qualifiers = "w360dp-h720dp-xhdpi")
internal class TouchAndKeyTest {
    @get:Rule
    val scene = Scene()

    @Test
    fun aTouchBesideTheBubbleOrTheBarIsTheHosts() {
        for (mode in DebuggerMode.values()) {
            scene.show(mode)
            val before = scene.activity.bought
            scene.tap(scene.activity.buy)
            assertEquals("$mode", before + 1, scene.activity.bought)
        }
    }

    @Test
    fun aTouchAboveThePanelIsTheHostsAndOneOnItIsNot() {
        scene.show().open()
        val page = scene.activity.buy.parent as android.view.View
        scene.activity.buy.y = 0f
        scene.tap(scene.activity.buy)
        assertEquals(1, scene.activity.bought)

        scene.activity.buy.y = page.height - 200f
        scene.tap(scene.activity.buy)
        assertEquals(1, scene.activity.bought)
        assertTrue(scene.isOpen())
    }

    @Test
    fun aTapOpens() {
        for (mode in DebuggerMode.values()) {
            scene.show(mode)
            scene.tap(scene.described("Inspector"))
            assertTrue("$mode", scene.isOpen())
            scene.press(Texts.CLOSE)
        }
    }

    @Test
    fun aDragMovesTheBubbleToTheNearestSideAndDoesNotOpen() {
        val bubble = scene.show().described("Inspector")
        val right = bubble.x
        scene.drag(bubble, -120f, 50f)
        assertEquals("not past the middle: back to its side", right, bubble.x, 0.5f)
        scene.drag(bubble, -right * 0.7f, 0f)
        assertTrue("past the middle: to the other side", bubble.x < 20f)
        assertFalse(scene.isOpen())
        assertFalse(bubble.isPressed)
    }

    @Test
    fun theBubbleCannotLeaveTheScreen() {
        val bubble = scene.show().described("Inspector")
        for ((dx, dy) in listOf(-9_000f to -9_000f, 9_000f to 9_000f)) {
            scene.drag(bubble, dx, dy)
            assertTrue(bubble.x >= 0 && bubble.x + bubble.width <= scene.decor.width)
            assertTrue(bubble.y >= 0 && bubble.y + bubble.height <= scene.decor.height)
        }
    }

    @Test
    fun theBackKeyClosesThePanelAndThenIsTheHostsAgain() {
        scene.show().open()
        key(KeyEvent.KEYCODE_BACK)
        assertFalse(scene.isOpen())
        assertEquals(0, scene.activity.backs)
        key(KeyEvent.KEYCODE_BACK)
        assertEquals(1, scene.activity.backs)
    }

    @Test
    fun theBackKeyClosesThePanelFromTheSearchToo() {
        scene.reports.visitShop()
        scene
            .show()
            .open()
            .search
            .requestFocus()
        key(KeyEvent.KEYCODE_BACK)
        assertFalse(scene.isOpen())
        assertEquals(0, scene.activity.backs)
    }

    @Test
    fun escapeClosesThePanel() {
        scene.show().open()
        key(KeyEvent.KEYCODE_ESCAPE)
        assertFalse(scene.isOpen())
    }

    @Test
    fun withThePanelClosedTheBackKeyIsTheHosts() {
        scene.show()
        key(KeyEvent.KEYCODE_BACK)
        assertEquals(1, scene.activity.backs)
    }

    @Test
    fun theHostGetsItsFocusBack() {
        scene.activity.coupon.requestFocus()
        scene.show().open()
        assertFalse(scene.activity.coupon.isFocused)
        scene.press(Texts.CLOSE)
        assertTrue(scene.activity.coupon.isFocused)
    }

    @Test
    fun theEntryNeverTakesTheHostsFocus() {
        scene.activity.coupon.requestFocus()
        scene.show(DebuggerMode.BUBBLE).show(DebuggerMode.BAR)
        assertTrue(scene.activity.coupon.isFocused)
    }

    private fun key(code: Int) {
        for (action in listOf(KeyEvent.ACTION_DOWN, KeyEvent.ACTION_UP)) scene.activity.dispatchKeyEvent(KeyEvent(action, code))
        scene.settle()
    }
}
