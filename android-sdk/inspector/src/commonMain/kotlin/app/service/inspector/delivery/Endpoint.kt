package app.service.inspector.delivery

import app.service.inspector.wire.InspectorContract

/** The address of a service, found fit to be sent an API key. */
internal class Endpoint private constructor(
    /** Where batches are posted to. */
    val url: String,
) {
    override fun equals(other: Any?): Boolean = other is Endpoint && other.url == url

    override fun hashCode(): Int = url.hashCode()

    internal companion object {
        private const val HOST = "[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+]"
        private val form = Regex("(https?)://($HOST)(?::\\d{1,5})?((?:/[A-Za-z0-9._~-]+)*)/?", RegexOption.IGNORE_CASE)

        /** This device, and the machine that runs an emulator (10.0.2.2; 10.0.3.2 in Genymotion). */
        private val plainHosts = Regex("localhost|127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}|\\[::1]|10\\.0\\.[23]\\.2", RegexOption.IGNORE_CASE)

        /**
         * The endpoint at a base address: `https`, or `http` to this device or an emulator's host, where nobody can listen in.
         *
         * @return null for any other text: one with a user, a query or a fragment too
         */
        fun parse(text: String): Endpoint? {
            val match = form.matchEntire(text.trim()) ?: return null
            val (scheme, host) = match.destructured
            val isSafe = scheme.equals("https", ignoreCase = true) || plainHosts.matches(host)
            return if (isSafe) Endpoint(match.value.trimEnd('/') + InspectorContract.INGEST_PATH) else null
        }
    }
}
