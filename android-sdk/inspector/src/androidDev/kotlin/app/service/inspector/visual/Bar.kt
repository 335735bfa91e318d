package app.service.inspector.visual

import android.graphics.Rect
import android.text.TextUtils
import android.view.Gravity
import android.view.View
import android.view.ViewGroup.LayoutParams.MATCH_PARENT
import android.view.ViewGroup.LayoutParams.WRAP_CONTENT
import android.widget.FrameLayout
import android.widget.ImageView
import android.widget.LinearLayout
import app.service.inspector.delivery.ReportState

/** A slim line at the bottom with the last event, its state and how many there were. */
internal class Bar(
    private val skin: Skin,
    onClick: () -> Unit,
) : LinearLayout(skin.context),
    Entry {
    override val view: View get() = this

    private val icon = ImageView(skin.context)
    private val name =
        skin.label(NAME_SP, skin.palette.text, MEDIUM).apply {
            maxLines = 2
            ellipsize = TextUtils.TruncateAt.END
        }
    private val word = skin.label(WORD_SP, skin.palette.quietText)
    private val count = skin.label(WORD_SP, skin.palette.quietText)

    init {
        layoutParams = FrameLayout.LayoutParams(MATCH_PARENT, WRAP_CONTENT, Gravity.BOTTOM)
        gravity = Gravity.CENTER_VERTICAL
        minimumHeight = skin.px(IconButton.TARGET_DP)
        setPaddingRelative(skin.px(2 * MARGIN_DP), skin.px(MARGIN_DP), skin.px(2 * MARGIN_DP), skin.px(MARGIN_DP))
        background = skin.touchable(skin.rounded(skin.palette.surface, RADIUS_DP).apply { setStroke(skin.px(1), skin.palette.line) })
        elevation = skin.px(ELEVATION_DP).toFloat()
        addView(icon, LayoutParams(skin.px(ICON_DP), skin.px(ICON_DP)).apply { marginEnd = skin.px(ICON_GAP_DP) })
        addView(name, LayoutParams(0, WRAP_CONTENT, 1f).apply { marginEnd = skin.px(MARGIN_DP) })
        addView(word, LayoutParams(WRAP_CONTENT, WRAP_CONTENT).apply { marginEnd = skin.px(2 * MARGIN_DP) })
        addView(count, LayoutParams(WRAP_CONTENT, WRAP_CONTENT))
        isFocusable = true
        setOnClickListener { onClick() }
    }

    override fun render(snapshot: RecentSnapshot) {
        val last = snapshot.newestFirst.firstOrNull()
        if (last == null) renderEmpty() else renderLast(last)
        count.text = Texts.number(snapshot.tracked)
        contentDescription = Spoken.snapshot(snapshot)
    }

    override fun keepClear(safeArea: Rect) {
        val gap = skin.px(MARGIN_DP)
        val params = layoutParams as FrameLayout.LayoutParams
        params.setMargins(safeArea.left + gap, gap, safeArea.right + gap, safeArea.bottom + gap)
        layoutParams = params
    }

    override fun getAccessibilityClassName(): CharSequence = android.widget.Button::class.java.name

    private fun renderEmpty() {
        icon.setImageDrawable(IconDrawable(Icon.SCHEMA, skin.palette.quietText, skin.px(ICON_DP)))
        name.text = Texts.NO_EVENT_YET
        word.text = ""
    }

    private fun renderLast(last: Report) {
        val look = StateLook.of(last.state)
        val color = look.color(skin.palette)
        icon.setImageDrawable(IconDrawable(look.icon, color, skin.px(ICON_DP)))
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
