package branchline.inspector.visual

import android.app.Activity
import android.content.res.Configuration
import android.view.View
import android.view.ViewGroup
import android.view.WindowInsets
import android.widget.FrameLayout
import app.service.inspector.DebuggerMode
import java.lang.ref.WeakReference

/**
 * The layer over one Activity: the entry (bubble or bar) or the open panel. It fills the decor view, but a touch
 * that meets neither goes on to the host. It needs no permission, since it is part of the Activity's own window.
 */
internal class Overlay(
    private val activity: Activity,
    private val state: InspectorState,
    private val actions: InspectorActions,
) : FrameLayout(activity) {
    private var theme = ViewTheme(activity)
    private var entry: Entry? = null
    private var entryMode: DebuggerMode? = null
    private var panel: Panel? = null
    private var latest: RecentSnapshot? = null
    private var hostFocus = WeakReference<View>(null)

    private val safeArea =
        SafeAreaWatch(this) {
            panel?.keepClear(it)
            entry?.keepClear(it)
        }

    private val decor get() = activity.window.decorView as ViewGroup

    init {
        clipChildren = false
        decor.addView(this, LayoutParams(LayoutParams.MATCH_PARENT, LayoutParams.MATCH_PARENT))
    }

    fun isOn(activity: Activity): Boolean = this.activity === activity && parent != null

    fun render(snapshot: RecentSnapshot) {
        latest = snapshot
        if (state.open) renderPanel(snapshot) else renderEntry(snapshot)
    }

    fun announce(text: String) {
        announceForAccessibility(text)
    }

    fun remove() {
        panel?.let(::close)
        (parent as? ViewGroup)?.removeView(this)
    }

    private fun renderPanel(snapshot: RecentSnapshot) {
        val open = panel ?: Panel(theme, state, actions).also(::open)
        open.render(snapshot)
    }

    private fun open(made: Panel) {
        removeEntry()
        hostFocus = WeakReference(decor.findFocus())
        panel = made
        made.keepClear(safeArea.area)
        addView(made)
        made.requestFocus()
    }

    private fun renderEntry(snapshot: RecentSnapshot) {
        panel?.let(::close)
        if (entryMode != state.mode) removeEntry()
        val shown = entry ?: makeEntry()
        shown.render(snapshot)
    }

    private fun close(open: Panel) {
        open.leave()
        removeView(open)
        panel = null
        hostFocus.get()?.takeIf { it.isAttachedToWindow }?.requestFocus()
    }

    private fun makeEntry(): Entry {
        val made =
            when (state.mode) {
                DebuggerMode.BUBBLE -> Bubble(theme, state.bubble, actions::open)
                DebuggerMode.BAR -> Bar(theme, actions::open)
            }
        entry = made
        entryMode = state.mode
        made.keepClear(safeArea.area)
        addView(made.view)
        return made
    }

    private fun removeEntry() {
        entry?.let { removeView(it.view) }
        entry = null
    }

    override fun onAttachedToWindow() {
        super.onAttachedToWindow()
        safeArea.start()
    }

    override fun onDetachedFromWindow() {
        safeArea.stop()
        super.onDetachedFromWindow()
    }

    override fun onApplyWindowInsets(insets: WindowInsets): WindowInsets {
        safeArea.look()
        return insets
    }

    /** For an Activity that handles such changes itself; another is made anew, and the overlay with it. */
    override fun onConfigurationChanged(newConfig: Configuration) {
        super.onConfigurationChanged(newConfig)
        post {
            panel?.let(::close)
            removeEntry()
            theme = ViewTheme(activity)
            latest?.let(::render)
        }
    }
}
