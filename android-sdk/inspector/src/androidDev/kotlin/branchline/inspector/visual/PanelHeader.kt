package branchline.inspector.visual

import android.text.TextUtils
import android.view.Gravity
import android.view.ViewGroup.LayoutParams.WRAP_CONTENT
import android.widget.LinearLayout

/** The panel's title and its controls. */
internal class PanelHeader(
    theme: ViewTheme,
    actions: InspectorActions,
) : LinearLayout(theme.context) {
    private val title =
        theme.label(TITLE_SP, theme.palette.text, MEDIUM).apply {
            text = Texts.TITLE
            maxLines = 1
            ellipsize = TextUtils.TruncateAt.END
        }
    private val pause = IconButton(theme, Icon.PAUSE, Texts.PAUSE, onClick = actions::pauseOrResume)

    init {
        gravity = Gravity.CENTER_VERTICAL
        setPaddingRelative(theme.px(START_DP), theme.px(TOP_DP), theme.px(END_DP), 0)
        addView(title, LayoutParams(0, WRAP_CONTENT, 1f))
        addView(pause)
        addView(IconButton(theme, Icon.CLEAR, Texts.CLEAR, onClick = actions::clear))
        addView(IconButton(theme, Icon.HIDE, Texts.HIDE, onClick = actions::hide))
        addView(IconButton(theme, Icon.CLOSE, Texts.CLOSE, onClick = actions::close))
    }

    fun render(paused: Boolean) {
        if (paused) pause.show(Icon.RESUME, Texts.RESUME) else pause.show(Icon.PAUSE, Texts.PAUSE)
    }

    private companion object {
        const val TITLE_SP = 16f
        const val START_DP = 16
        const val END_DP = 4
        const val TOP_DP = 8
    }
}
