package branchline.inspector.visual

import android.app.Activity
import android.app.Application
import app.service.inspector.DebuggerMode
import branchline.inspector.queue.ReportObserver

/** The prod artifact has no visual inspector (documents: "Installation"). */
@Suppress("FunctionOnlyReturningConstant")
internal actual object VisualInspectors {
    actual const val IS_BUILT_IN: Boolean = false

    actual fun observer(application: Application?): ReportObserver? = null

    actual fun show(
        application: Application?,
        activity: Activity?,
        mode: DebuggerMode?,
    ): Unit = Unit

    actual fun hide(activity: Activity?): Unit = Unit

    /** Documents, "Operations": in the `prod` artifact always null. */
    actual fun manager(): Any? = null
}
