package branchline.inspector.transport

import branchline.inspector.wire.InspectorContract

/** A short text that the service takes in any case: the `Label` of the contract. */
internal object Label {
    private const val NOTHING = "unknown"

    /** Without control characters, not longer than a label may be, and not empty. */
    fun sanitize(text: String): String = text.filterNot { it.isISOControl() }.take(InspectorContract.MAX_LABEL_LENGTH).ifEmpty { NOTHING }
}
