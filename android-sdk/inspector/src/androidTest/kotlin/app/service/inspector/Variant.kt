package app.service.inspector

import branchline.inspector.visual.VisualInspectors

/** Which artifact is tested. */
internal object Variant {
    const val IS_DEV: Boolean = VisualInspectors.IS_BUILT_IN
}
