package branchline.inspector.visual

import android.app.Activity
import android.app.Application
import android.content.ClipData
import android.content.ClipboardManager
import android.content.Context
import android.os.Build
import android.os.Handler
import android.os.Looper
import android.util.Log
import android.view.ViewGroup
import android.widget.Toast
import app.service.inspector.DebuggerMode
import java.lang.ref.WeakReference

/**
 * The visual inspector while it lives: it puts an [Overlay] on the Activity the user has before them and keeps it up to date.
 *
 * [show] and [hide] may come from any thread; everything else happens on the main thread. Only the Activity's own decor view
 * holds the overlay strongly.
 */
internal class DebuggerManager(
    private val application: Application,
    private val reports: RecentReports,
) : InspectorActions {
    private val main = Handler(Looper.getMainLooper())
    private val state = InspectorState()
    private val frames = FrameUpdates(main) { harmlessly { render() } }
    private val follower =
        ActivityFollower(
            application,
            onResumed = { harmlessly { if (!it.window.isFloating) attach(it) } },
            onDestroyed = { harmlessly { if (overlay.get()?.isOn(it) == true) detach() } },
        )
    private var overlay = WeakReference<Overlay>(null)

    init {
        reports.onChange { frames.ask() }
    }

    fun show(
        activity: Activity?,
        mode: DebuggerMode,
    ) {
        val asked = WeakReference(activity)
        onMain {
            state.mode = mode
            follower.start()
            val target = follower.resumed ?: asked.get()
            // Making the decor view here could forbid the host to ask for window features; without one, onResumed attaches.
            if (target != null && !target.isDestroyed && target.window?.peekDecorView() != null) attach(target)
        }
    }

    override fun hide() {
        onMain {
            state.open = false
            follower.stop()
            detach()
        }
    }

    override fun open(): Unit = act { state.open = true }

    override fun close(): Unit = act { state.open = false }

    override fun clear(): Unit =
        act {
            reports.clear()
            state.unfolded.clear()
            state.pausedAt = state.pausedAt?.cleared()
            announce(Texts.CLEARED)
        }

    override fun pauseOrResume(): Unit =
        act {
            state.pausedAt = if (state.pausedAt == null) reports.snapshot else null
            announce(if (state.pausedAt == null) Texts.RESUMED else Texts.PAUSED)
        }

    override fun search(query: String): Unit = act { state.query = query }

    override fun foldOrUnfold(report: Report): Unit =
        act {
            if (!state.unfolded.remove(report.number)) state.unfolded += report.number
        }

    override fun copy(report: Report): Unit =
        act {
            val clipboard = application.getSystemService(Context.CLIPBOARD_SERVICE) as ClipboardManager
            clipboard.setPrimaryClip(ClipData.newPlainText(report.event.eventName, schemaText(report)))
            // Later platforms show by themselves what was copied.
            if (Build.VERSION.SDK_INT < Build.VERSION_CODES.TIRAMISU) Toast.makeText(application, Texts.COPIED, Toast.LENGTH_SHORT).show()
            announce(Texts.COPIED)
        }

    private fun act(change: () -> Unit) =
        harmlessly {
            change()
            render()
        }

    private fun attach(activity: Activity) {
        if (overlay.get()?.isOn(activity) != true) {
            detach()
            overlay = WeakReference(Overlay(activity, state, this))
        }
        render()
    }

    private fun detach() {
        overlay.get()?.remove()
        overlay.clear()
    }

    private fun render() {
        overlay.get()?.render(reports.snapshot)
    }

    private fun announce(text: String) {
        overlay.get()?.announce(text)
    }

    private fun onMain(action: () -> Unit) {
        if (Looper.myLooper() == Looper.getMainLooper()) harmlessly(action) else main.post { harmlessly(action) }
    }

    /** A fault of the inspector costs the inspector, never the host. */
    @Suppress("TooGenericExceptionCaught")
    private fun harmlessly(action: () -> Unit) {
        try {
            action()
        } catch (fault: RuntimeException) {
            Log.w(LOG_TAG, "The visual inspector met a fault and is hidden. Call showVisualInspector to show it again.", fault)
            state.open = false
            follower.stop()
            overlay.get()?.let { (it.parent as? ViewGroup)?.removeView(it) }
            overlay.clear()
        }
    }

    private companion object {
        const val LOG_TAG = "ServiceInspector"
    }
}
