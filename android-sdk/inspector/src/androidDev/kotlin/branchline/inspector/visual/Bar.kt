package branchline.inspector.visual

import android.graphics.Rect
import android.text.TextUtils
import android.view.Gravity
import android.view.View
import android.view.ViewGroup.LayoutParams.MATCH_PARENT
import android.view.ViewGroup.LayoutParams.WRAP_CONTENT
import android.widget.FrameLayout
import android.widget.ImageView
import android.widget.LinearLayout

/** A slim line at the bottom with the last event, its state and how many there were. */
internal class Bar(
    private val theme: ViewTheme,
    onClick: () -> Unit,
) : LinearLayout(theme.context),
    Entry {
    override val view: View get() = this

    private val icon = ImageView(theme.context)
    private val name =
        theme.label(NAME_SP, theme.palette.text, MEDIUM).apply {
            maxLines = 2
            ellipsize = TextUtils.TruncateAt.END
        }
    private val word = theme.label(WORD_SP, theme.palette.quietText)
    private val count = theme.label(WORD_SP, theme.palette.quietText)

    init {
        layoutParams = FrameLayout.LayoutParams(MATCH_PARENT, WRAP_CONTENT, Gravity.BOTTOM)
        gravity = Gravity.CENTER_VERTICAL
        minimumHeight = theme.px(IconButton.TARGET_DP)
        setPaddingRelative(theme.px(2 * MARGIN_DP), theme.px(MARGIN_DP), theme.px(2 * MARGIN_DP), theme.px(MARGIN_DP))
        background = theme.touchable(theme.rounded(theme.palette.surface, RADIUS_DP).apply { setStroke(theme.px(1), theme.palette.line) })
        elevation = theme.px(ELEVATION_DP).toFloat()
        addView(icon, LayoutParams(theme.px(ICON_DP), theme.px(ICON_DP)).apply { marginEnd = theme.px(ICON_GAP_DP) })
        addView(name, LayoutParams(0, WRAP_CONTENT, 1f).apply { marginEnd = theme.px(MARGIN_DP) })
        addView(word, LayoutParams(WRAP_CONTENT, WRAP_CONTENT).apply { marginEnd = theme.px(2 * MARGIN_DP) })
        addView(count, LayoutParams(WRAP_CONTENT, WRAP_CONTENT))
        isFocusable = true
        setOnClickListener { onClick() }
    }

    override fun render(snapshot: RecentSnapshot) {
        val last = snapshot.newestFirst.firstOrNull()
        if (last == null) renderEmpty() else renderLast(last)
        count.text = Texts.number(snapshot.tracked)
        contentDescription = AccessibilityText.snapshot(snapshot)
    }

    override fun keepClear(safeArea: Rect) {
        val gap = theme.px(MARGIN_DP)
        val params = layoutParams as FrameLayout.LayoutParams
        params.setMargins(safeArea.left + gap, gap, safeArea.right + gap, safeArea.bottom + gap)
        layoutParams = params
    }

    override fun getAccessibilityClassName(): CharSequence = android.widget.Button::class.java.name

    private fun renderEmpty() {
        icon.setImageDrawable(IconDrawable(Icon.SCHEMA, theme.palette.quietText, theme.px(ICON_DP)))
        name.text = Texts.NO_EVENT_YET
        word.text = ""
    }

    private fun renderLast(last: Report) {
        val look = ReportStateStyle.find(last.state)
        val color = look.color(theme.palette)
        icon.setImageDrawable(IconDrawable(look.icon, color, theme.px(ICON_DP)))
        name.text = last.event.eventName
        word.text = look.word
        word.setTextColor(color)
    }

    private companion object {
        const val MARGIN_DP = 8
        const val RADIUS_DP = 12
        const val ELEVATION_DP = 6
        const val ICON_DP = 20
        const val ICON_GAP_DP = 12
        const val NAME_SP = 14f
        const val WORD_SP = 13f
    }
}
