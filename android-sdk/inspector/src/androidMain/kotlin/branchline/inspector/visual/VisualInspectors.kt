package branchline.inspector.visual

import android.app.Activity
import android.app.Application
import app.service.inspector.DebuggerMode
import branchline.inspector.queue.ReportObserver

/** The one visual inspector of an app, of which the prod artifact has only this empty door. Any thread may call. */
internal expect object VisualInspectors {
    /** Whether this artifact has a visual inspector. */
    val IS_BUILT_IN: Boolean

    /** What is to be told of the events of an application; null where nothing shows them. */
    fun observer(application: Application?): ReportObserver?

    /** Shows it, if it is known of which application; without an [activity], on the next one that the user comes to. */
    fun show(
        application: Application?,
        activity: Activity?,
        mode: DebuggerMode?,
    )

    /** Hides it wherever it is: since [show] it may have followed the user from [activity] to another one. */
    fun hide(activity: Activity?)

    /** Documents, "Operations": a nullable debugger manager object. Null until it was first shown. */
    fun manager(): Any?
}
