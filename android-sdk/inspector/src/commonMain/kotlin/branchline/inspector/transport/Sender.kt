package branchline.inspector.transport

import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.wire.BatchApp

/** On whose behalf events are sent. */
internal class Sender(
    /** Sent in a header; never logged, never stored. */
    val apiKey: String,
    val environment: ServiceInspectorEnv,
    /** Such as `android`. */
    val platform: String,
    private val host: HostApp,
) {
    private var described: BatchApp? = null

    /** Where to, as long as the settings do not say. */
    val defaultEndpoint: String? get() = host.endpoint

    val app: BatchApp get() = described ?: describe().also { described = it }

    private fun describe(): BatchApp {
        val app = host.identity
        return BatchApp(Label.sanitize(app.id), Label.sanitize(app.name), Label.sanitize(app.version))
    }
}

/** What the system has to be asked for, by the worker alone: it takes its time. */
internal interface HostApp {
    /** The address that comes with the app; null where there is none. */
    val endpoint: String?

    val identity: BatchApp
}
