package branchline.inspector.transport

import branchline.inspector.platform.matchFirst
import branchline.inspector.wire.InspectorContract

/** The address of a service, found fit to be sent an API key. */
internal object Endpoint {
    private const val HOST = "[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\\[[a-f0-9:.]+]"

    /** This device, and the machine that runs an emulator (10.0.2.2; 10.0.3.2 in Genymotion). */
    private const val NEAR = "localhost|127(?:\\.\\d{1,3}){3}|10\\.0\\.[23]\\.2|\\[::1]"
    private const val ADDRESS = "(?i)\\s*((?:https://(?:$HOST)|http://(?:$NEAR))(?::\\d{1,5})?(?:/[a-z0-9._~-]+)*)/*\\s*"

    /**
     * Where batches are posted to, by a base address: `https`, or `http` to this device or an emulator's host, where nobody can listen in.
     *
     * @return null for any other text: one with a user, a query or a fragment too
     */
    fun parse(text: String): String? = matchFirst(ADDRESS, text)?.let { it + InspectorContract.INGEST_PATH }
}
