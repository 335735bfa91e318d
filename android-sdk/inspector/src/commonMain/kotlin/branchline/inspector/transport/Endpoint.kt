package branchline.inspector.transport

import branchline.inspector.wire.InspectorContract

/** The address of a service, found fit to be sent an API key. */
internal class Endpoint private constructor(
    /** Where batches are posted to. */
    val url: String,
) {
    override fun equals(other: Any?): Boolean = other is Endpoint && other.url == url

    override fun hashCode(): Int = url.hashCode()

    internal companion object {
        private const val SECURE = "https://"
        private const val PLAIN = "http://"
        private const val MAX_PORT_DIGITS = 5
        private const val IPV4_PARTS = 4
        private const val MAX_BYTE_DIGITS = 3

        /**
         * The endpoint at a base address: `https`, or `http` to this device or an emulator's host, where nobody can listen in.
         *
         * @return null for any other text: one with a user, a query or a fragment too
         */
        fun parse(text: String): Endpoint? {
            val address = text.trim().trimEnd('/')
            val isSecure = address.startsWith(SECURE, ignoreCase = true)
            if (!isSecure && !address.startsWith(PLAIN, ignoreCase = true)) return null
            val rest = address.substring(if (isSecure) SECURE.length else PLAIN.length)
            val path = rest.indexOf('/').let { if (it < 0) "" else rest.substring(it) }
            val authority = rest.dropLast(path.length)
            val port = authority.lastIndexOf(':').let { if (it > authority.lastIndexOf(']')) authority.substring(it) else "" }
            val host = authority.dropLast(port.length)
            val isFit = isHost(host) && isPort(port) && isPath(path) && (isSecure || isNear(host))
            return if (isFit) Endpoint(address + InspectorContract.INGEST_PATH) else null
        }

        private fun isHost(text: String): Boolean {
            if (text.startsWith('[') && text.endsWith(']')) {
                val inside = text.drop(1).dropLast(1)
                return inside.isNotEmpty() && inside.all { isAlphanumeric(it) || it == ':' || it == '.' }
            }
            return text.isNotEmpty() && isAlphanumeric(text[0]) && isAlphanumeric(text[text.length - 1]) &&
                text.all { isAlphanumeric(it) || it == '.' || it == '-' }
        }

        /** Empty, or a colon and digits. */
        private fun isPort(text: String): Boolean =
            text.isEmpty() || (text.length in 2..MAX_PORT_DIGITS + 1 && text.drop(1).all { it in '0'..'9' })

        private fun isPath(text: String): Boolean = "//" !in text && text.all { isAlphanumeric(it) || it in "/._~-" }

        /** This device, and the machine that runs an emulator (10.0.2.2; 10.0.3.2 in Genymotion). */
        private fun isNear(host: String): Boolean =
            when (host.lowercase()) {
                "localhost", "[::1]", "10.0.2.2", "10.0.3.2" -> true
                else -> host.startsWith("127.") && host.split('.').let { it.size == IPV4_PARTS && it.all(::isByteText) }
            }

        private fun isByteText(text: String): Boolean = text.length in 1..MAX_BYTE_DIGITS && text.all { it in '0'..'9' }

        private fun isAlphanumeric(char: Char): Boolean = char in '0'..'9' || char in 'a'..'z' || char in 'A'..'Z'
    }
}
