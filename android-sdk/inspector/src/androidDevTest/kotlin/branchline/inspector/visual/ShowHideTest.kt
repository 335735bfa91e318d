package branchline.inspector.visual

import android.app.Activity
import app.service.inspector.DebuggerMode
import branchline.inspector.visual.support.FaultyMap
import branchline.inspector.visual.support.Scene
import branchline.inspector.visual.support.ShopActivity
import branchline.inspector.visual.support.all
import branchline.inspector.visual.support.event
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNotNull
import org.junit.Assert.assertNull
import org.junit.Assert.assertSame
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import kotlin.concurrent.thread

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
internal class ShowHideTest {
    @get:Rule
    val scene = Scene()

    @Test
    fun thereIsNoManagerUntilItIsShownAndThenItStays() {
        assertNull(scene.host.manager())
        scene.show()
        val manager = scene.host.manager()
        assertNotNull(manager)
        scene.host.hide()
        assertSame(manager, scene.host.manager())
    }

    @Test
    fun hideTakesEverythingAway() {
        val before = scene.decor.all().size
        scene.show()
        assertNotNull(scene.overlay)
        scene.host.hide()
        assertNull(scene.overlay)
        assertEquals(before, scene.decor.all().size)
    }

    @Test
    fun showingTwiceShowsOnce() {
        scene.show().show()
        assertEquals(
            1,
            scene.decor
                .all()
                .filterIsInstance<Overlay>()
                .size,
        )
        assertEquals(
            1,
            scene.decor
                .all()
                .filterIsInstance<Bubble>()
                .size,
        )
    }

    @Test
    fun showingAgainChangesTheMode() {
        scene.show(DebuggerMode.BUBBLE).show(DebuggerMode.BAR)
        assertEquals(
            0,
            scene.decor
                .all()
                .filterIsInstance<Bubble>()
                .size,
        )
        assertEquals(
            1,
            scene.decor
                .all()
                .filterIsInstance<Bar>()
                .size,
        )
    }

    @Test
    fun anOpenPanelStaysOpenWhenTheModeChangesAndClosesToTheNewOne() {
        scene.show().open().show(DebuggerMode.BAR)
        assertTrue(scene.isOpen())
        scene.press(Texts.CLOSE)
        assertEquals(
            1,
            scene.decor
                .all()
                .filterIsInstance<Bar>()
                .size,
        )
    }

    @Test
    fun mayBeShownAndHiddenFromAnyThread() {
        thread { scene.host.show(scene.activity, DebuggerMode.BUBBLE) }.join()
        assertNull(scene.overlay)
        scene.settle()
        assertNotNull(scene.overlay)
        thread { scene.host.hide() }.join()
        scene.settle()
        assertNull(scene.overlay)
    }

    @Test
    fun beforeTheActivityHasContentItWaitsAndDoesNotMakeADecorView() {
        val early = Robolectric.buildActivity(ShopActivity::class.java)
        scene.host.show(early.get(), DebuggerMode.BUBBLE)
        assertNull(early.get().window.peekDecorView())

        early.setup()
        scene.settle()
        assertEquals(
            1,
            early
                .get()
                .window.decorView
                .all()
                .filterIsInstance<Overlay>()
                .size,
        )
    }

    @Test
    fun anActivityWithoutContentIsServedToo() {
        val bare = Robolectric.buildActivity(Activity::class.java)
        scene.host.show(bare.get(), DebuggerMode.BUBBLE)
        bare.setup()
        assertEquals(
            1,
            bare
                .get()
                .window.decorView
                .all()
                .filterIsInstance<Overlay>()
                .size,
        )
    }

    @Test
    fun shownForNoActivityItAppearsOnTheNextTheUserComesTo() {
        scene.host.show(null, DebuggerMode.BUBBLE)
        assertNull(scene.overlay)
        scene.controller.pause().resume()
        assertNotNull(scene.overlay)
    }

    @Test
    fun aDestroyedActivityIsPassedOverAndTheNextTakesItsPlace() {
        val gone = Robolectric.buildActivity(ShopActivity::class.java).setup()
        gone.pause().stop().destroy()
        scene.host.show(gone.get(), DebuggerMode.BUBBLE)
        assertEquals(
            0,
            gone
                .get()
                .window.decorView
                .all()
                .filterIsInstance<Overlay>()
                .size,
        )

        scene.controller.pause().resume()
        assertNotNull(scene.overlay)
    }

    @Test
    fun hidingByItsOwnControlHidesUntilShownAgain() {
        scene.show().open().press(Texts.HIDE)
        assertNull(scene.overlay)
        scene.controller.pause().resume()
        assertNull(scene.overlay)

        scene.show()
        assertNotNull(scene.overlay)
        assertFalse(scene.isOpen())
    }

    @Test
    fun hidingWhatWasNeverShownDoesNothing() {
        scene.host.hide()
        assertNull(scene.host.manager())
    }

    @Test
    fun aFaultOfTheInspectorHidesItAndTheHostGoesOn() {
        scene.show().open()
        scene.search.setText("price")
        scene.reports.onTracked(event("1", "broken", FaultyMap()))
        scene.settle()
        assertNull(scene.overlay)
        scene.tap(scene.activity.buy)
        assertEquals(1, scene.activity.bought)

        scene.show()
        assertNotNull(scene.overlay)
    }

    @Test
    fun theEntryTellsTheEventsAndTheFailures() {
        scene.show()
        scene.reports.onTracked(event("1", "app_opened"))
        scene.settle()
        assertEquals("Inspector, 1\u00A0event. Last: app_opened, queued", scene.described("Inspector").contentDescription)
    }
}
