package app.service.inspector.delivery

import app.service.inspector.ServiceInspectorEnv
import app.service.inspector.wire.BatchApp

/** On whose behalf events are sent. */
internal class Sender(
    /** Sent in a header; never logged, never stored. */
    val apiKey: String,
    val environment: ServiceInspectorEnv,
    app: BatchApp,
    /** Such as `android`. */
    val platform: String,
) {
    val app: BatchApp = BatchApp(id = Label.of(app.id), name = Label.of(app.name), version = Label.of(app.version))
}
