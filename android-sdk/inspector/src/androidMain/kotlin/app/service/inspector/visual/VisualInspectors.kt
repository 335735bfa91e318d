package app.service.inspector.visual

import android.app.Activity
import android.app.Application
import app.service.inspector.DebuggerMode

/** The one visual inspector of an app, which all instances share: two of them would lie on top of each other. */
internal object VisualInspectors {
    private class Shared(
        val application: Application,
        val reports: RecentReports,
        val host: VisualInspectorHost,
    )

    private var shared: Shared? = null

    /** What the visual inspector shows; null in the artifact that has none. */
    fun reportsOf(application: Application?): RecentReports? =
        if (VisualInspectorHost.IS_BUILT_IN && application != null) of(application).reports else null

    /** Shows it, if it is known of which application. */
    fun show(
        application: Application?,
        activity: Activity?,
        mode: DebuggerMode?,
    ) {
        val owner = application ?: activity?.application ?: return
        of(owner).host.show(activity, mode ?: DebuggerMode.BUBBLE)
    }

    fun hide(activity: Activity?) {
        val host = existing()?.host ?: return
        if (activity != null) host.hide(activity)
    }

    fun manager(): Any? = existing()?.host?.manager()

    @Synchronized
    private fun existing(): Shared? = shared

    @Synchronized
    private fun of(application: Application): Shared {
        shared?.takeIf { it.application === application }?.let { return it }
        val reports = RecentReports()
        return Shared(application, reports, VisualInspectorHost(application, reports)).also { shared = it }
    }
}
