package app.service.inspector

import app.service.inspector.visual.VisualInspectorHost

/** Which artifact is tested. */
internal object Variant {
    const val IS_DEV: Boolean = VisualInspectorHost.IS_BUILT_IN
}
