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
    private var said = 0

    /** @param finding one of [Finding] */
    fun found(finding: Int) {
        if (said and finding != 0) return
        said = said or finding
        val level = if (finding and Finding.HARMLESS != 0) Level.DEBUG else Level.WARN
        log.line(level, Finding.explain(finding))
    }
}

/** What an app should know about the properties that it tracks; a bit for each. */
@Suppress("MagicNumber")
internal object Finding {
    const val TOO_MANY_PROPERTIES: Int = 1
    const val TOO_MANY_ELEMENTS: Int = 2
    const val TOO_MANY_VALUES: Int = 4
    const val TOO_DEEP: Int = 8
    const val UNNAMED: Int = 16
    const val NO_PROPERTIES: Int = 32
    const val FAILED: Int = 64

    /** Those that nothing need be done about. */
    const val HARMLESS: Int = TOO_MANY_ELEMENTS or TOO_DEEP

    fun explain(finding: Int): String =
        when (finding) {
            TOO_MANY_PROPERTIES -> {
                "An event has more than ${InspectorContract.MAX_PROPERTIES} properties, nested ones included; the rest is left out. " +
                    "Track fewer, or choose from them by extractSchema and trackSchema."
            }

            TOO_MANY_ELEMENTS -> {
                "A list has more than ${ExtractionLimits.MAX_ELEMENTS} elements; its type is taken from the first " +
                    "${ExtractionLimits.MAX_ELEMENTS}."
            }

            TOO_MANY_VALUES -> {
                "The properties of an event hold more than ${ExtractionLimits.MAX_VALUES} values; lists and objects after those are " +
                    "reported as unknown."
            }

            TOO_DEEP -> {
                "Properties are nested deeper than ${InspectorContract.MAX_DEPTH} levels; what is deeper is reported as unknown."
            }

            UNNAMED -> {
                "A property is left out, since the toString of its key failed. Use strings as keys."
            }

            NO_PROPERTIES -> {
                "The properties of an event are neither a map nor an object with fields; an empty schema is reported. Pass a Map or a " +
                    "JSONObject."
            }

            else -> {
                "The properties of an event could not be read; an empty schema is reported."
            }
        }
}
