package branchline.inspector.transport

import branchline.inspector.platform.oneLine
import branchline.inspector.wire.InspectorContract

/** A short text that the service takes in any case: the `Label` of the contract. */
internal object Label {
    private const val NOTHING = "unknown"

    /** Without control characters, not longer than a label may be, and not empty. */
    fun sanitize(text: String): String = oneLine(text, InspectorContract.MAX_LABEL_LENGTH).ifEmpty { NOTHING }
}
