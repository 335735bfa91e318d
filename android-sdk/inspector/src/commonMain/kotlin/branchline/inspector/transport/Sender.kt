package branchline.inspector.transport

import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.wire.BatchApp
import branchline.inspector.wire.InspectorContract

/** On whose behalf events are sent. What the system has to be asked for is asked by the worker alone: it takes its time. */
internal class Sender(
    /** Sent in a header; never logged, never stored. */
    val apiKey: String,
    val environment: ServiceInspectorEnv,
    /** Such as `android`. */
    val platform: String,
    private val findEndpoint: () -> String? = { InspectorContract.DEFAULT_ENDPOINT },
    private val describeApp: () -> BatchApp,
) {
    private var described: BatchApp? = null

    /** Where to, as long as the settings do not say. */
    val defaultEndpoint: String? get() = findEndpoint()

    val app: BatchApp get() = described ?: describe().also { described = it }

    private fun describe(): BatchApp =
        describeApp().run { BatchApp(id = Label.sanitize(id), name = Label.sanitize(name), version = Label.sanitize(version)) }
}
