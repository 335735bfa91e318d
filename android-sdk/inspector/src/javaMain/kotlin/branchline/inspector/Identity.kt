package branchline.inspector

import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.platform.Level
import branchline.inspector.platform.Log

/** What an app says when it makes an Inspector: only where it is complete is anything sent. */
internal object Identity {
    private const val HINT = "Pass the one from the Inspector tab of your workspace."

    /** The key, without what surrounds it; null when something is missing, of which a WARN tells. */
    fun check(
        apiKey: String?,
        application: Any?,
        environment: ServiceInspectorEnv?,
        log: Log,
    ): String? {
        val trimmed = apiKey?.trim { it <= ' ' } ?: ""
        val problem =
            when {
                trimmed.isEmpty() -> "no API key was given. $HINT"
                !isPlain(trimmed) -> "the API key holds characters that no key has. $HINT"
                application == null -> "no application was given. Pass your own."
                environment == null -> "no environment was given. Pass one of ServiceInspectorEnv."
                else -> return trimmed
            }
        log.line(Level.WARN, "Schemas are derived, but none is sent: $problem")
        return null
    }

    private fun isPlain(key: String): Boolean {
        for (char in key) if (char !in '!'..'~') return false
        return true
    }
}
