package app.service.inspector.visual

import android.app.Activity
import android.app.Application
import app.service.inspector.DebuggerMode

/** The prod artifact has no visual inspector (documents: "Installation"). */
@Suppress("UNUSED_PARAMETER", "FunctionOnlyReturningConstant")
internal actual class VisualInspectorHost actual constructor(
    application: Application,
    reports: RecentReports,
) {
    actual fun show(
        activity: Activity?,
        mode: DebuggerMode,
    ): Unit = Unit

    actual fun hide(activity: Activity): Unit = Unit

    /** Documents, "Operations": in the `prod` artifact always null. */
    actual fun manager(): Any? = null

    actual companion object {
        actual const val IS_BUILT_IN: Boolean = false
    }
}
