package app.service.inspector.visual

import app.service.inspector.delivery.ReportState

/** How a state is shown: by icon, word and colour, so that none of them is needed to tell. */
internal enum class StateLook(
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
        fun of(state: ReportState): StateLook =
            when (state) {
                ReportState.QUEUED -> QUEUED
                ReportState.SENT -> SENT
                ReportState.FAILED -> FAILED
            }
    }
}
