package branchline.inspector.visual

import android.widget.ImageButton
import android.widget.ImageView
import android.widget.LinearLayout

/** A button of 48 dp that shows an icon and is read out as what it does. */
internal class IconButton(
    private val theme: ViewTheme,
    icon: Icon,
    does: String,
    private val color: Int = theme.palette.text,
    onClick: () -> Unit,
) : ImageButton(theme.context) {
    init {
        layoutParams = LinearLayout.LayoutParams(theme.px(TARGET_DP), theme.px(TARGET_DP))
        scaleType = ImageView.ScaleType.CENTER
        background = theme.touchable(TARGET_DP / 2)
        setOnClickListener { onClick() }
        show(icon, does)
    }

    fun show(
        icon: Icon,
        does: String,
    ) {
        if (does == contentDescription) return
        contentDescription = does
        setImageDrawable(IconDrawable(icon, color, theme.px(ICON_DP)))
    }

    companion object {
        /** The least side of what a finger has to hit. */
        const val TARGET_DP: Int = 48
        const val ICON_DP: Int = 24
    }
}
