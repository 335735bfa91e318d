package branchline.inspector

import android.app.Activity
import android.app.Application
import app.service.inspector.DebuggerMode
import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.batching.Delivery
import branchline.inspector.batching.DeliveryProcess
import branchline.inspector.extraction.AndroidValueReader
import branchline.inspector.extraction.JavaValueReader
import branchline.inspector.extraction.SchemaExtractor
import branchline.inspector.platform.AndroidApp
import branchline.inspector.platform.AndroidClock
import branchline.inspector.platform.AndroidLog
import branchline.inspector.platform.BackgroundWatch
import branchline.inspector.platform.Level
import branchline.inspector.platform.Log
import branchline.inspector.platform.SecureRandomSource
import branchline.inspector.queue.MessageIds
import branchline.inspector.queue.ReportObserver
import branchline.inspector.transport.Sender
import branchline.inspector.visual.VisualInspectors

/** Puts an Inspector together on Android. */
internal object AndroidInspector {
    /** The application whose leaving of the foreground is watched. Guarded by this object. */
    private var watched: Application? = null

    fun core(
        apiKey: String?,
        application: Application?,
        env: ServiceInspectorEnv?,
    ): InspectorCore {
        val environment = env ?: ServiceInspectorEnv.Prod
        val log = SwitchedLog(AndroidLog, environment)
        val observer = VisualInspectors.observer(application)
        val extractor = SchemaExtractor(AndroidValueReader(JavaValueReader()), log)
        StaticSettings.onInstance(environment)
        DeliveryProcess.execute(extractor)
        return InspectorCore(
            extractor = extractor,
            clock = AndroidClock,
            ids = if (observer == null) null else MessageIds(AndroidClock, SecureRandomSource),
            log = log,
            delivery = Identity.check(apiKey, application, env, log)?.let { deliver(it, application, environment, log, observer) },
            observer = observer,
        )
    }

    /** Shows the visual inspector where it is there by default (documents: "Resources and their fields"). */
    fun showByDefault(
        application: Application?,
        env: ServiceInspectorEnv?,
        activity: Activity?,
    ) {
        if (env?.visualInspector == true) VisualInspectors.show(application, activity, DebuggerMode.BUBBLE)
    }

    private fun deliver(
        apiKey: String,
        application: Application?,
        environment: ServiceInspectorEnv,
        log: Log,
        observer: ReportObserver?,
    ): Delivery? {
        if (application == null) return null
        val app = AndroidApp(application)
        if (watch(application) && VisualInspectors.IS_BUILT_IN && !app.isDebuggable) warnOfDevArtifact(log)
        val sender = Sender(apiKey, environment, "android", app)
        return DeliveryProcess.delivery(sender, app.folder, AndroidClock, log, observer)
    }

    /** False when it is watched already. */
    @Synchronized
    private fun watch(application: Application): Boolean {
        if (watched === application) return false
        watched = application
        application.registerActivityLifecycleCallbacks(OfProcess())
        return true
    }

    private class OfProcess : BackgroundWatch() {
        override fun onBackground() = DeliveryProcess.onBackground()
    }

    private fun warnOfDevArtifact(log: Log) =
        log.line(
            Level.WARN,
            "THIS APP IS NOT DEBUGGABLE, BUT HAS THE DEV ARTIFACT OF THE INSPECTOR LIBRARY, so its users can come to see the visual " +
                "inspector. Use the prod artifact for release builds: releaseImplementation(\"app.service.inspector:prod:<tag>\").",
        )
}
