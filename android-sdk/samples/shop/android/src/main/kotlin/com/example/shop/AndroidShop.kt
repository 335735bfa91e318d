package com.example.shop

import android.app.Activity
import android.os.Looper
import android.view.View
import android.view.ViewGroup
import android.widget.ListView
import android.widget.TextView
import app.service.inspector.DebuggerMode
import app.service.inspector.ServiceInspector
import app.service.inspector.ServiceInspectorEnv
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.shadows.ShadowLog
import java.time.Duration

/** The shop on Android, with the dev artifact; run by JUnit's own command, since it is Robolectric that knows how to start it. */
@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34], application = ShopApplication::class)
class AndroidShop {
    @Test
    fun open() {
        ShadowLog.stream = System.out
        val application = RuntimeEnvironment.getApplication()
        ServiceInspector.setEndpoint(ShopSettings.endpoint)
        val activity = Robolectric.buildActivity(Activity::class.java).setup().get()
        val inspector = ServiceInspector(ShopSettings.apiKey, application, ServiceInspectorEnv.Dev, activity)
        Shop(inspector, mapOf("come back" to Returning(inspector)::comeBack, "look" to { look(inspector, activity) })).open()
    }

    /** Says what the visual inspector shows: as a bubble, as a list with the last event unfolded, and as a bar. */
    private fun look(
        inspector: ServiceInspector,
        activity: Activity,
    ) {
        sayWhatIsSeen(activity)
        views(activity).first { it.contentDescription?.startsWith("Inspector,") == true }.performClick()
        settle()
        val list = views(activity).filterIsInstance<ListView>().single()
        list.performItemClick(list.getChildAt(0), 0, list.adapter.getItemId(0))
        sayWhatIsSeen(activity)
        inspector.hideVisualInspector(activity)
        inspector.showVisualInspector(activity, DebuggerMode.BAR)
        sayWhatIsSeen(activity)
    }

    private fun sayWhatIsSeen(activity: Activity) {
        settle()
        val texts = views(activity).flatMap { listOfNotNull((it as? TextView)?.text, it.contentDescription) }
        println("shop: sees ${texts.joinToString().replace('\n', ' ')}")
    }

    private fun settle() = shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(SETTLED_MILLIS))

    private fun views(activity: Activity) = viewsBelow(activity.window.decorView)

    private fun viewsBelow(root: View): List<View> = listOf(root) + children(root).flatMap(::viewsBelow)

    private fun children(of: View): List<View> = if (of is ViewGroup) (0 until of.childCount).map(of::getChildAt) else emptyList()

    private companion object {
        const val SETTLED_MILLIS = 400L
    }
}
