package branchline.inspector

import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.platform.Level
import branchline.inspector.platform.Log

/** What an app says when it makes an Inspector, found complete: only then is anything sent. */
internal class Identity<A : Any> private constructor(
    val apiKey: String,
    val application: A,
    val environment: ServiceInspectorEnv,
) {
    internal companion object {
        private const val HINT = "Pass the one from the Inspector tab of your workspace."

        /** Null when something is missing; a WARN says what. */
        fun <A : Any> check(
            apiKey: String?,
            application: A?,
            environment: ServiceInspectorEnv?,
            log: Log,
        ): Identity<A>? {
            val trimmed = apiKey?.trim().orEmpty()
            val problem =
                when {
                    trimmed.isEmpty() -> "no API key was given. $HINT"
                    trimmed.any { it !in '!'..'~' } -> "the API key holds characters that no key has. $HINT"
                    application == null -> "no application was given. Pass your own."
                    environment == null -> "no environment was given. Pass one of ServiceInspectorEnv."
                    else -> return Identity(trimmed, application, environment)
                }
            log.line(Level.WARN, "Schemas are derived, but none is sent: $problem")
            return null
        }
    }
}
