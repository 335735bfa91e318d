package app.service.inspector.delivery

import app.service.inspector.platform.Level
import app.service.inspector.platform.Log

/** What sending says in the log; of what lasts, it speaks once. */
internal class DispatchLog(
    private val log: Log,
) {
    private val said = HashSet<String>()

    fun noEndpoint() =
        warnOnce(
            "No endpoint is set, so events are kept and none is sent. Call ServiceInspector.setEndpoint(\"https://…\"), " +
                "or set the meta-data of the manifest.",
        )

    fun unfitEndpoint() =
        warnOnce(
            "The endpoint is not used, and nothing is sent: it must be an https:// address without user, query or fragment; " +
                "http:// is for this device or an emulator's host only.",
        )

    fun explain(
        verdict: Verdict,
        next: RetryStep,
        events: Int,
    ) {
        val soon = "They are kept, and tried again in ${(next.state.waitMillis + MILLIS - 1) / MILLIS} s"
        when (verdict) {
            is Verdict.Taken -> {
                said.clear()
            }

            is Verdict.Later -> {
                log.line(Level.DEBUG, "$events events were not sent: ${verdict.reason}. $soon.")
            }

            is Verdict.Elsewhere -> {
                warnOnce(
                    "$events events were not sent. The endpoint is not the service's: ${verdict.reason}. Check setEndpoint. $soon.",
                    about = "elsewhere",
                )
            }

            is Verdict.Refused -> {
                warnOnce(
                    "The service refuses the API key (${verdict.status}), so nothing is sent until the key or the endpoint changes, " +
                        "or the app starts again. Use the key from the Inspector tab of your workspace.",
                )
            }

            is Verdict.TooMuch -> {
                if (next.action == RetryAction.DROP) {
                    log.line(Level.WARN, "The service can't take an event (${verdict.status}); it is given up.")
                } else {
                    log.line(
                        Level.DEBUG,
                        "The service can't take $events events at once (${verdict.status}); they are sent in smaller batches.",
                    )
                }
            }
        }
    }

    private fun warnOnce(
        text: String,
        about: String = text,
    ) {
        if (said.add(about)) log.line(Level.WARN, text)
    }

    private companion object {
        const val MILLIS = 1_000L
    }
}
