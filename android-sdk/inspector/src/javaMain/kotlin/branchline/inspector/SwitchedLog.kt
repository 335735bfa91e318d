package branchline.inspector

import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.platform.Level
import branchline.inspector.platform.Log

/** Lets warnings through always, and other lines while logging is enabled for the environment. */
internal class SwitchedLog(
    private val log: Log,
    private val environment: ServiceInspectorEnv,
) : Log {
    override fun line(
        level: Int,
        text: String,
    ) {
        if (shows(level)) log.line(level, text)
    }

    override fun shows(level: Int): Boolean = level == Level.WARN || StaticSettings.isLogging(environment)
}
