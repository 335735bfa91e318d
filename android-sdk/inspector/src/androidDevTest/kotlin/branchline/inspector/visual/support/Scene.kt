package branchline.inspector.visual.support

import android.os.Looper
import android.os.SystemClock
import android.view.MotionEvent
import android.view.View
import android.view.ViewGroup
import android.widget.EditText
import android.widget.ListView
import android.widget.TextView
import app.service.inspector.DebuggerMode
import branchline.inspector.visual.Overlay
import branchline.inspector.visual.RecentReports
import branchline.inspector.visual.VisualInspectorHost
import org.junit.rules.ExternalResource
import org.robolectric.Robolectric
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.android.controller.ActivityController
import java.time.Duration

/** A shop with the visual inspector over it, as a user meets it: by what is seen, read out and touched. */
internal class Scene(
    val reports: RecentReports = RecentReports(),
) : ExternalResource() {
    lateinit var host: VisualInspectorHost
        private set
    lateinit var controller: ActivityController<ShopActivity>
        private set
    val activity: ShopActivity get() = controller.get()
    val decor: ViewGroup get() = activity.window.decorView as ViewGroup
    val overlay: Overlay? get() = decor.all().filterIsInstance<Overlay>().singleOrNull()
    val list: ListView get() = view { it is ListView } as ListView
    val search: EditText get() = checkNotNull(overlay).all().filterIsInstance<EditText>().single()

    public override fun before() {
        host = VisualInspectorHost(RuntimeEnvironment.getApplication(), reports)
        controller = Robolectric.buildActivity(ShopActivity::class.java).setup()
    }

    override fun after(): Unit = controller.close()

    fun show(mode: DebuggerMode = DebuggerMode.BUBBLE): Scene {
        host.show(activity, mode)
        return settle()
    }

    fun open(): Scene {
        described("Inspector,").performClick()
        return settle()
    }

    fun press(description: String): Scene {
        described(description).performClick()
        return settle()
    }

    fun unfold(eventName: String): Scene {
        val position = (0 until list.count).first { row(it).contains(eventName) }
        list.performItemClick(list.getChildAt(position - list.firstVisiblePosition), position, list.adapter.getItemId(position))
        return settle()
    }

    /** What a screen reader says of each row. */
    fun rows(): List<String> = (0 until list.count).map(::row)

    private fun row(position: Int): String {
        val row = list.adapter.getView(position, null, list)
        return (row.contentDescription ?: row.all().filterIsInstance<TextView>().joinToString { it.text }).toString()
    }

    fun described(start: String): View = view { it.contentDescription?.startsWith(start) == true }

    fun view(found: (View) -> Boolean): View = checkNotNull(overlay).all().first(found)

    fun texts(from: View = checkNotNull(overlay)): List<String> =
        from
            .all()
            .filterIsInstance<TextView>()
            .filter { it.isShown }
            .map { it.text.toString() }

    /** Turns the device: the Activity is destroyed and made anew. */
    fun rotate(): Scene {
        controller.recreate()
        return settle()
    }

    fun tap(view: View): Scene {
        val (x, y) = middle(view)
        touch(MotionEvent.ACTION_DOWN, x, y)
        touch(MotionEvent.ACTION_UP, x, y)
        return settle()
    }

    fun drag(
        view: View,
        dx: Float,
        dy: Float,
    ): Scene {
        val (x, y) = middle(view)
        touch(MotionEvent.ACTION_DOWN, x, y)
        for (step in 1..STEPS) touch(MotionEvent.ACTION_MOVE, x + dx * step / STEPS, y + dy * step / STEPS)
        touch(MotionEvent.ACTION_UP, x + dx, y + dy)
        return settle()
    }

    private fun touch(
        action: Int,
        x: Float,
        y: Float,
    ) {
        val now = SystemClock.uptimeMillis()
        activity.dispatchTouchEvent(MotionEvent.obtain(now, now, action, x, y, 0))
    }

    private fun middle(view: View): Pair<Float, Float> {
        val corner = IntArray(2).also(view::getLocationInWindow)
        return corner[0] + view.width / 2f to corner[1] + view.height / 2f
    }

    fun settle(): Scene {
        shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(400))
        return this
    }

    fun isOpen(): Boolean = overlay?.all().orEmpty().any { it is ListView }

    private companion object {
        const val STEPS = 8
    }
}

internal fun View.all(): List<View> =
    listOf(this) + ((this as? ViewGroup)?.let { group -> (0 until group.childCount).flatMap { group.getChildAt(it).all() } }).orEmpty()
