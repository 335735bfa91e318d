package branchline.inspector

import app.service.inspector.JvmApplication
import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.batching.DeliveryProcess
import branchline.inspector.extraction.JavaValueReader
import branchline.inspector.extraction.SchemaExtractor
import branchline.inspector.platform.JvmClock
import branchline.inspector.platform.JvmLog
import branchline.inspector.transport.HostApp
import branchline.inspector.transport.Sender
import branchline.inspector.wire.BatchApp
import branchline.inspector.wire.InspectorContract

/** Puts an Inspector together on a plain JVM. */
internal object JvmInspector {
    fun core(
        apiKey: String?,
        application: JvmApplication?,
        env: ServiceInspectorEnv?,
    ): InspectorCore {
        val environment = env ?: ServiceInspectorEnv.Prod
        val log = SwitchedLog(JvmLog, environment)
        val extractor = SchemaExtractor(JavaValueReader(), log)
        StaticSettings.onInstance(environment)
        DeliveryProcess.execute(extractor)
        return InspectorCore(
            extractor = extractor,
            clock = JvmClock,
            ids = null,
            log = log,
            delivery =
                Identity.check(apiKey, application, env, log)?.let {
                    val app = application as JvmApplication
                    DeliveryProcess.delivery(Sender(it, environment, "jvm", Host(app)), app.directory, JvmClock, log, observer = null)
                },
            observer = null,
        )
    }

    private class Host(
        private val app: JvmApplication,
    ) : HostApp {
        override val endpoint: String? get() = InspectorContract.DEFAULT_ENDPOINT

        override val identity: BatchApp get() = BatchApp(app.id, app.name, app.version)
    }
}
