package app.service.inspector

import android.app.Activity
import android.app.Application
import android.view.ViewGroup
import branchline.inspector.StaticSettings
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertNull
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment

/** Where the visual inspector shows by itself, and where it is asked to; in the prod artifact never. */
@RunWith(RobolectricTestRunner::class)
internal class VisualInspectorFacadeTest {
    private val application: Application = RuntimeEnvironment.getApplication()

    @After
    fun reset() = StaticSettings.reset()

    private fun activity(): Activity = Robolectric.buildActivity(Activity::class.java).setup().get()

    private fun views(activity: Activity) = (activity.window.decorView as ViewGroup).childCount

    private fun expectShown(
        isShown: Boolean,
        inspector: ServiceInspector,
    ) = assertEquals(isShown && Variant.IS_DEV, inspector.getVisualInspector() != null)

    @Test
    fun `it shows by default in development and staging, and not in production`() {
        for (env in listOf(ServiceInspectorEnv.Prod, ServiceInspectorEnv.Dev)) {
            val activity = activity()
            val bare = views(activity)
            val inspector = ServiceInspector("key", application, env, activity)
            expectShown(env != ServiceInspectorEnv.Prod, inspector)
            assertEquals(env != ServiceInspectorEnv.Prod && Variant.IS_DEV, views(activity) > bare)
        }
    }

    @Test
    fun `without an Activity it shows on the next one`() {
        val bare = views(activity())
        expectShown(true, ServiceInspector("key", application, ServiceInspectorEnv.Staging))
        assertEquals(Variant.IS_DEV, views(activity()) > bare)
    }

    @Test
    fun `in production it shows when it is asked to, and hides`() {
        val activity = activity()
        val bare = views(activity)
        val inspector = ServiceInspector("key", application, ServiceInspectorEnv.Prod)
        assertNull(inspector.getVisualInspector())
        inspector.showVisualInspector(activity, DebuggerMode.BAR)
        expectShown(true, inspector)
        assertEquals(Variant.IS_DEV, views(activity) > bare)
        inspector.hideVisualInspector(activity)
        assertEquals(bare, views(activity))
    }

    @Test
    fun `all instances share one`() {
        val activity = activity()
        val first = ServiceInspector("key", application, ServiceInspectorEnv.Dev, activity)
        val shown = views(activity)
        val second = ServiceInspector("other", application, ServiceInspectorEnv.Staging, activity)
        assertEquals(shown, views(activity))
        assertEquals(first.getVisualInspector(), second.getVisualInspector())
    }
}
