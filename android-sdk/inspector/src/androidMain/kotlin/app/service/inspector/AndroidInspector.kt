package app.service.inspector

import android.app.Activity
import android.app.Application
import app.service.inspector.delivery.Delivery
import app.service.inspector.delivery.DeliveryProcess
import app.service.inspector.delivery.MessageIds
import app.service.inspector.delivery.Sender
import app.service.inspector.extraction.AndroidValueReader
import app.service.inspector.extraction.JavaValueReader
import app.service.inspector.extraction.SchemaExtractor
import app.service.inspector.platform.AndroidApp
import app.service.inspector.platform.AndroidClock
import app.service.inspector.platform.AndroidLog
import app.service.inspector.platform.BackgroundWatch
import app.service.inspector.platform.Level
import app.service.inspector.platform.Log
import app.service.inspector.platform.SecureRandomSource
import app.service.inspector.platform.SwitchedLog
import app.service.inspector.visual.RecentReports
import app.service.inspector.visual.VisualInspectorHost
import app.service.inspector.visual.VisualInspectors

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
        val log = SwitchedLog(AndroidLog) { StaticSettings.isLogging(environment) }
        val reports = VisualInspectors.reportsOf(application)
        StaticSettings.onInstance(environment)
        return InspectorCore(
            extractor = SchemaExtractor(AndroidValueReader(JavaValueReader()), log),
            clock = AndroidClock,
            ids = MessageIds(AndroidClock, SecureRandomSource),
            log = log,
            delivery = Identity.of(apiKey, application, env, log)?.let { delivery(it, log, reports) },
            observer = reports,
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

    private fun delivery(
        identity: Identity<Application>,
        log: Log,
        reports: RecentReports?,
    ): Delivery {
        val app = AndroidApp(identity.application)
        if (watch(identity.application) && VisualInspectorHost.IS_BUILT_IN && !app.isDebuggable) warnOfDevArtifact(log)
        val sender = Sender(identity.apiKey, identity.environment, platform = "android", app::endpoint, app::identity)
        return DeliveryProcess.delivery(sender, app.folder, AndroidClock, log, reports)
    }

    /** False when it is watched already. */
    @Synchronized
    private fun watch(application: Application): Boolean {
        if (watched === application) return false
        watched = application
        application.registerActivityLifecycleCallbacks(BackgroundWatch(DeliveryProcess::onBackground))
        return true
    }

    private fun warnOfDevArtifact(log: Log) =
        log.line(
            Level.WARN,
            "THIS APP IS NOT DEBUGGABLE, BUT HAS THE DEV ARTIFACT OF THE INSPECTOR LIBRARY, so its users can come to see the visual " +
                "inspector. Use the prod artifact for release builds: releaseImplementation(\"app.service.inspector:prod:<tag>\").",
        )
}
