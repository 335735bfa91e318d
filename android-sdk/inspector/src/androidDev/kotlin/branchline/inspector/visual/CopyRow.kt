package branchline.inspector.visual

import android.view.Gravity
import android.view.ViewGroup.LayoutParams.WRAP_CONTENT
import android.widget.FrameLayout

/** Below an unfolded schema: copies it as text. */
internal class CopyRow(
    theme: ViewTheme,
    actions: InspectorActions,
) : FrameLayout(theme.context) {
    private var report: Report? = null
    private val button =
        theme.label(TEXT_SP, theme.palette.accent, MEDIUM).apply {
            text = Texts.COPY
            gravity = Gravity.CENTER_VERTICAL
            minimumHeight = theme.px(IconButton.TARGET_DP)
            minimumWidth = minimumHeight
            setPaddingRelative(theme.px(PADDING_DP), 0, theme.px(PADDING_DP), 0)
            background = theme.touchable(RADIUS_DP)
            val size = theme.px(ICON_DP)
            val icon = IconDrawable(Icon.COPY, theme.palette.accent, size)
            icon.setBounds(0, 0, size, size)
            setCompoundDrawablesRelative(icon, null, null, null)
            compoundDrawablePadding = theme.px(PADDING_DP)
            isFocusable = true
            setOnClickListener { report?.let(actions::copy) }
        }

    init {
        setBackgroundColor(theme.palette.inset)
        addView(button, LayoutParams(WRAP_CONTENT, WRAP_CONTENT).apply { marginStart = theme.px(START_DP) })
    }

    fun bind(report: Report) {
        this.report = report
    }

    private companion object {
        const val TEXT_SP = 14f
        const val ICON_DP = 18
        const val PADDING_DP = 8
        const val START_DP = 48
        const val RADIUS_DP = 8
    }
}
