package branchline.inspector.visual

import branchline.inspector.queue.ReportState

/** How a state is shown: by icon, word and colour, so that none of them is needed to tell. */
internal enum class ReportStateStyle(
    val icon: Icon,
    val word: String,
) {
    QUEUED(Icon.QUEUED, "Queued"),
    SENT(Icon.SENT, "Sent"),
    FAILED(Icon.FAILED, "Failed"),
    ;

    fun color(palette: Palette): Int =
        when (this) {
            QUEUED -> palette.queued
            SENT -> palette.sent
            FAILED -> palette.failed
        }

    companion object {
        fun find(state: ReportState): ReportStateStyle =
            when (state) {
                ReportState.QUEUED -> QUEUED
                ReportState.SENT -> SENT
                ReportState.FAILED -> FAILED
            }
    }
}
