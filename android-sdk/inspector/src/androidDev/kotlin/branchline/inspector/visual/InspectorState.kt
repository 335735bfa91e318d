package branchline.inspector.visual

import app.service.inspector.DebuggerMode

/** What outlives the Activity that shows it: a rotated or newly resumed Activity finds all as it was. Main thread only. */
internal class InspectorState {
    var mode: DebuggerMode = DebuggerMode.BUBBLE
    var open: Boolean = false
    var query: String = ""

    /** The numbers of the reports whose schema is unfolded. */
    val unfolded: MutableSet<Long> = HashSet()

    /** What the list stands still at, while it is paused. */
    var pausedAt: RecentSnapshot? = null

    val bubble: BubblePlace = BubblePlace()
}
