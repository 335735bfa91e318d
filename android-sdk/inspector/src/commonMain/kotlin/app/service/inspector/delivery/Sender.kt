package app.service.inspector.delivery

import app.service.inspector.ServiceInspectorEnv
import app.service.inspector.wire.BatchApp
import app.service.inspector.wire.InspectorContract

/** On whose behalf events are sent. What the system has to be asked for is asked once, by the worker: it takes its time. */
internal class Sender(
    /** Sent in a header; never logged, never stored. */
    val apiKey: String,
    val environment: ServiceInspectorEnv,
    /** Such as `android`. */
    val platform: String,
    defaultEndpoint: () -> String? = { InspectorContract.DEFAULT_ENDPOINT },
    app: () -> BatchApp,
) {
    /** Where to, as long as the settings do not say. */
    val defaultEndpoint: String? by lazy(defaultEndpoint)

    val app: BatchApp by lazy { app().run { BatchApp(id = Label.of(id), name = Label.of(name), version = Label.of(version)) } }
}
