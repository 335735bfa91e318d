package branchline.inspector.extraction

import branchline.inspector.platform.Level
import branchline.inspector.platform.Log
import branchline.inspector.wire.InspectorContract
import kotlin.concurrent.Volatile

/** What extraction says in the log: each thing once, since events repeat. */
internal class ExtractionLog(
    private val log: Log,
) {
    // Two threads may say a thing twice; no lock is worth that.
    @Volatile
    private var said = emptySet<Finding>()

    fun found(finding: Finding) {
        if (finding in said) return
        said = said + finding
        log.line(finding.level, finding.text)
    }
}

/** What an app should know about the properties that it tracks. */
internal enum class Finding(
    val level: Level,
    val text: String,
) {
    TOO_MANY_PROPERTIES(
        Level.WARN,
        "An event has more than ${InspectorContract.MAX_PROPERTIES} properties, nested ones included; the rest is left out. " +
            "Track fewer, or choose from them by extractSchema and trackSchema.",
    ),
    TOO_MANY_ELEMENTS(
        Level.DEBUG,
        "A list has more than ${ExtractionLimits.MAX_ELEMENTS} elements; its type is taken from the first ${ExtractionLimits.MAX_ELEMENTS}.",
    ),
    TOO_MANY_VALUES(
        Level.WARN,
        "The properties of an event hold more than ${ExtractionLimits.MAX_VALUES} values; lists and objects after those are reported as unknown.",
    ),
    TOO_DEEP(
        Level.DEBUG,
        "Properties are nested deeper than ${InspectorContract.MAX_DEPTH} levels; what is deeper is reported as unknown.",
    ),
    UNNAMED(
        Level.WARN,
        "A property is left out, since the toString of its key failed. Use strings as keys.",
    ),
    NO_PROPERTIES(
        Level.WARN,
        "The properties of an event are neither a map nor an object with fields; an empty schema is reported. Pass a Map or a JSONObject.",
    ),
    FAILED(
        Level.WARN,
        "The properties of an event could not be read; an empty schema is reported.",
    ),
}
