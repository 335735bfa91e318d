package branchline.inspector.visual

import android.app.Activity
import android.view.ViewGroup
import app.service.inspector.DebuggerMode
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Assert.assertThrows
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
internal class NoVisualInspectorTest {
    @Test
    fun showingShowsNothingAndThereIsNoManager() {
        val activity = Robolectric.buildActivity(Activity::class.java).setup().get()
        val decor = activity.window.decorView as ViewGroup
        val before = decor.childCount
        for (mode in DebuggerMode.values()) VisualInspectors.show(RuntimeEnvironment.getApplication(), activity, mode)
        assertEquals(before, decor.childCount)
        assertNull(VisualInspectors.manager())
        VisualInspectors.hide(activity)
        assertNull(VisualInspectors.manager())
        assertNull(VisualInspectors.observer(RuntimeEnvironment.getApplication()))
    }

    @Test
    fun theArtifactHasNoViewsOfIt() {
        for (name in listOf("DebuggerManager", "Overlay", "Bubble", "Bar", "Panel", "RecentReports", "Report")) {
            assertThrows(name, ClassNotFoundException::class.java) { Class.forName("branchline.inspector.visual.$name") }
        }
    }
}
