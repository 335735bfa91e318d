package branchline.inspector.visual

import android.app.Activity
import android.app.Application
import app.service.inspector.DebuggerMode
import branchline.inspector.queue.ReportObserver

/** The one visual inspector of an app, which all instances share: two of them would lie on top of each other. */
internal actual object VisualInspectors {
    private class Shared(
        val application: Application,
        val reports: RecentReports,
        val host: VisualInspectorHost,
    )

    private var shared: Shared? = null

    actual const val IS_BUILT_IN: Boolean = true

    actual fun observer(application: Application?): ReportObserver? = application?.let { share(it).reports }

    actual fun show(
        application: Application?,
        activity: Activity?,
        mode: DebuggerMode?,
    ) {
        val owner = application ?: activity?.application ?: return
        share(owner).host.show(activity, mode ?: DebuggerMode.BUBBLE)
    }

    actual fun hide(activity: Activity?) {
        if (activity != null) existing()?.host?.hide()
    }

    actual fun manager(): Any? = existing()?.host?.manager()

    @Synchronized
    private fun existing(): Shared? = shared

    @Synchronized
    private fun share(application: Application): Shared {
        shared?.takeIf { it.application === application }?.let { return it }
        val reports = RecentReports()
        return Shared(application, reports, VisualInspectorHost(application, reports)).also { shared = it }
    }
}
