package app.service.inspector.platform

import java.util.logging.Logger

/** The logger `app.service.inspector` of the JVM. */
internal object JvmLog : Log {
    private val logger = Logger.getLogger("app.service.inspector")

    override fun line(
        level: Level,
        text: String,
    ) {
        val severity = if (level == Level.WARN) java.util.logging.Level.WARNING else java.util.logging.Level.INFO
        logger.logp(severity, "ServiceInspector", null, text)
    }
}
