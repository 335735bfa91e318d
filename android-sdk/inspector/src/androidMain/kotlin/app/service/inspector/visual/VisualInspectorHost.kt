package app.service.inspector.visual

import android.app.Activity
import android.app.Application
import app.service.inspector.DebuggerMode

/** The visual inspector of an app, of which the prod artifact has only this empty door. Any thread may call. */
internal expect class VisualInspectorHost(
    application: Application,
    reports: RecentReports,
) {
    /** Without an [activity], it appears on the next one that the user comes to. */
    fun show(
        activity: Activity?,
        mode: DebuggerMode,
    )

    /** Hides it wherever it is: since [show] it may have followed the user from [activity] to another one. */
    fun hide(activity: Activity)

    /** Null until it was first shown. */
    fun manager(): Any?

    companion object {
        /** Whether this artifact has a visual inspector. */
        val IS_BUILT_IN: Boolean
    }
}
