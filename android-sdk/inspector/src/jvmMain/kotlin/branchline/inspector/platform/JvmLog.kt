package branchline.inspector.platform

import java.util.logging.Logger

/** The logger `app.service.inspector` of the JVM, which is made when there is something to say. */
internal object JvmLog : Log {
    override fun line(
        level: Int,
        text: String,
    ) {
        val severity = if (level == Level.WARN) java.util.logging.Level.WARNING else java.util.logging.Level.INFO
        Logger.getLogger("app.service.inspector").logp(severity, "ServiceInspector", null, text)
    }
}
