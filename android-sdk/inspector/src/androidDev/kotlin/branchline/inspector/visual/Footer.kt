package branchline.inspector.visual

import android.text.SpannableStringBuilder
import android.text.Spanned
import android.text.style.ForegroundColorSpan
import android.view.View
import android.view.ViewGroup.LayoutParams.MATCH_PARENT
import android.view.ViewGroup.LayoutParams.WRAP_CONTENT
import android.widget.LinearLayout
import branchline.inspector.queue.ReportState

/** How many events there are, and in which state. */
internal class Footer(
    private val theme: ViewTheme,
) : LinearLayout(theme.context) {
    private val text = theme.label(TEXT_SP, theme.palette.quietText)

    init {
        orientation = VERTICAL
        val line = View(theme.context).apply { setBackgroundColor(theme.palette.line) }
        addView(line, LayoutParams(MATCH_PARENT, theme.px(1)))
        addView(text, LayoutParams(MATCH_PARENT, WRAP_CONTENT))
        text.setPaddingRelative(theme.px(SIDE_DP), theme.px(ABOVE_DP), theme.px(SIDE_DP), theme.px(ABOVE_DP))
    }

    /** [newer] events came since the list was paused; null if it is not. */
    fun render(
        shown: RecentSnapshot,
        found: Int,
        newer: Long?,
    ) {
        text.text = SpannableStringBuilder(Texts.totals(shown, found, newer)).apply { ReportState.values().forEach { add(it, shown) } }
    }

    private fun SpannableStringBuilder.add(
        state: ReportState,
        shown: RecentSnapshot,
    ) {
        val look = ReportStateStyle.find(state)
        append(Texts.DOT)
        val start = length
        append(Texts.number(shown.count(state).toLong())).append(Texts.NO_BREAK).append(look.word.lowercase())
        setSpan(ForegroundColorSpan(look.color(theme.palette)), start, length, Spanned.SPAN_EXCLUSIVE_EXCLUSIVE)
    }

    private companion object {
        const val TEXT_SP = 13f
        const val SIDE_DP = 16
        const val ABOVE_DP = 12
    }
}
