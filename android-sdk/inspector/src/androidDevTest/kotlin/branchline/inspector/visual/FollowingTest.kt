package branchline.inspector.visual

import android.app.Activity
import app.service.inspector.DebuggerMode
import branchline.inspector.visual.support.Scene
import branchline.inspector.visual.support.ShopActivity
import branchline.inspector.visual.support.all
import branchline.inspector.visual.support.visitShop
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNotSame
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import java.lang.ref.WeakReference

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
internal class FollowingTest {
    @get:Rule
    val scene = Scene()

    @Test
    fun aHundredRotationsKeepWhatTheUserSeesAndNoActivity() {
        scene.reports.visitShop()
        scene.show().open()
        scene.search.setText("price")
        scene.settle().unfold("product_viewed").press(Texts.PAUSE)
        val seen = scene.rows()

        val former = (1..100).map { rotateOnce() }

        assertTrue(scene.isOpen())
        assertEquals("price", scene.search.text.toString())
        assertEquals(seen, scene.rows())
        assertNotNull(scene.described(Texts.RESUME))
        assertEquals(
            1,
            scene.decor
                .all()
                .filterIsInstance<Overlay>()
                .size,
        )
        assertEquals("Activities that are still held", 0, stillHeld(former))
    }

    @Test
    fun theBubbleStaysWhereItWasDropped() {
        scene.show()
        val bubble = scene.described("Inspector")
        val before = bubble.y
        scene.drag(bubble, -bubble.x, 200f)
        val dropped = bubble.x to bubble.y
        assertTrue(bubble.y > before)

        rotateOnce()
        val now = scene.described("Inspector")
        assertNotSame(bubble, now)
        assertEquals(dropped, now.x to now.y)
    }

    @Test
    fun goesWithTheUserToTheNextActivityAndBack() {
        scene.show()
        scene.controller.pause()
        val next = Robolectric.buildActivity(ShopActivity::class.java).setup()
        assertNull(scene.overlay)
        assertEquals(1, overlays(next.get()))

        next.pause()
        scene.controller.resume()
        next.stop().destroy()
        assertNotNull(scene.overlay)
        assertEquals(0, overlays(next.get()))
    }

    @Test
    fun shownForTheRootWhileAnotherIsInFrontItIsInFront() {
        scene.show()
        scene.controller.pause()
        val next = Robolectric.buildActivity(ShopActivity::class.java).setup()
        scene.host.show(scene.activity, DebuggerMode.BAR)
        assertEquals(1, overlays(next.get()))
        assertNull(scene.overlay)
    }

    @Test
    fun aDialogActivityIsLeftAlone() {
        scene.show()
        scene.controller.pause()
        val dialog = Robolectric.buildActivity(DialogActivity::class.java).setup()
        assertEquals(0, overlays(dialog.get()))
        assertNotNull(scene.overlay)
    }

    private fun rotateOnce(): WeakReference<Activity> {
        val before = WeakReference<Activity>(scene.activity)
        scene.rotate()
        return before
    }

    private fun overlays(activity: Activity) =
        activity.window.decorView
            .all()
            .filterIsInstance<Overlay>()
            .size

    private fun stillHeld(activities: List<WeakReference<Activity>>): Int {
        // Scroll bars that still fade hold their views for a moment.
        repeat(20) {
            scene.settle()
            System.gc()
            System.runFinalization()
            if (activities.all { it.get() == null }) return 0
        }
        return activities.count { it.get() != null }
    }

    internal class DialogActivity : Activity() {
        override fun onCreate(state: android.os.Bundle?) {
            setTheme(android.R.style.Theme_Material_Dialog)
            super.onCreate(state)
            setContentView(android.view.View(this))
        }
    }
}
