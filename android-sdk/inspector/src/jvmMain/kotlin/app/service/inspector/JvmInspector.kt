package app.service.inspector

import app.service.inspector.delivery.DeliveryProcess
import app.service.inspector.delivery.MessageIds
import app.service.inspector.delivery.Sender
import app.service.inspector.extraction.JavaValueReader
import app.service.inspector.extraction.SchemaExtractor
import app.service.inspector.platform.JvmClock
import app.service.inspector.platform.JvmLog
import app.service.inspector.platform.SecureRandomSource
import app.service.inspector.platform.SwitchedLog
import app.service.inspector.wire.BatchApp

/** Puts an Inspector together on a plain JVM. */
internal object JvmInspector {
    fun core(
        apiKey: String?,
        application: JvmApplication?,
        env: ServiceInspectorEnv?,
    ): InspectorCore {
        val environment = env ?: ServiceInspectorEnv.Prod
        val log = SwitchedLog(JvmLog) { StaticSettings.isLogging(environment) }
        StaticSettings.onInstance(environment)
        return InspectorCore(
            extractor = SchemaExtractor(JavaValueReader(), log),
            clock = JvmClock,
            ids = MessageIds(JvmClock, SecureRandomSource),
            log = log,
            delivery =
                Identity.of(apiKey, application, env, log)?.let {
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
