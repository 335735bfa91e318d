package branchline.inspector

import app.service.inspector.JvmApplication
import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.batching.DeliveryProcess
import branchline.inspector.extraction.JavaValueReader
import branchline.inspector.extraction.SchemaExtractor
import branchline.inspector.platform.JvmClock
import branchline.inspector.platform.JvmLog
import branchline.inspector.platform.SecureRandomSource
import branchline.inspector.queue.MessageIds
import branchline.inspector.transport.Sender
import branchline.inspector.wire.BatchApp

/** Puts an Inspector together on a plain JVM. */
internal object JvmInspector {
    fun core(
        apiKey: String?,
        application: JvmApplication?,
        env: ServiceInspectorEnv?,
    ): InspectorCore {
        val environment = env ?: ServiceInspectorEnv.Prod
        val log = SwitchedLog(JvmLog, environment)
        StaticSettings.onInstance(environment)
        return InspectorCore(
            extractor = SchemaExtractor(JavaValueReader(), log),
            clock = JvmClock,
            ids = MessageIds(JvmClock, SecureRandomSource),
            log = log,
            delivery =
                Identity.check(apiKey, application, env, log)?.let {
                    DeliveryProcess.delivery(sender(it), it.application.directory, JvmClock, log, observer = null)
                },
            observer = null,
        )
    }

    private fun sender(identity: Identity<JvmApplication>): Sender {
        val app = identity.application
        return Sender(identity.apiKey, identity.environment, platform = "jvm") { BatchApp(app.id, app.name, app.version) }
    }
}
