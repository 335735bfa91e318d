package app.service.inspector.visual

import android.app.Activity
import android.app.Application
import app.service.inspector.DebuggerMode

/** The visual inspector of an app, made when it is first shown. Any thread may call. */
internal actual class VisualInspectorHost actual constructor(
    private val application: Application,
    private val reports: RecentReports,
) {
    @Volatile
    private var manager: DebuggerManager? = null

    actual fun show(
        activity: Activity?,
        mode: DebuggerMode,
    ) {
        firstOrMade().show(activity, mode)
    }

    @Suppress("UNUSED_PARAMETER")
    actual fun hide(activity: Activity) {
        manager?.hide()
    }

    /** Documents, "Operations": a nullable debugger manager object. Null until the inspector is first shown. */
    actual fun manager(): Any? = manager

    @Synchronized
    private fun firstOrMade(): DebuggerManager = manager ?: DebuggerManager(application, reports).also { manager = it }

    actual companion object {
        actual const val IS_BUILT_IN: Boolean = true
    }
}
