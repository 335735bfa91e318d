package branchline.inspector.visual

import android.app.Activity
import android.app.Application
import app.service.inspector.DebuggerMode

/** The visual inspector of an app, made when it is first shown. Any thread may call. */
internal class VisualInspectorHost(
    private val application: Application,
    private val reports: RecentReports,
) {
    @Volatile
    private var manager: DebuggerManager? = null

    /** Without an [activity], it appears on the next one that the user comes to. */
    fun show(
        activity: Activity?,
        mode: DebuggerMode,
    ) {
        firstOrMade().show(activity, mode)
    }

    fun hide() {
        manager?.hide()
    }

    /** Null until it was first shown. */
    fun manager(): Any? = manager

    @Synchronized
    private fun firstOrMade(): DebuggerManager = manager ?: DebuggerManager(application, reports).also { manager = it }
}
