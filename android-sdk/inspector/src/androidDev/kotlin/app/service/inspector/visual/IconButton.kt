package app.service.inspector.visual

import android.widget.ImageButton
import android.widget.ImageView
import android.widget.LinearLayout

/** A button of 48 dp that shows an icon and is read out as what it does. */
internal class IconButton(
    private val skin: Skin,
    icon: Icon,
    does: String,
    private val color: Int = skin.palette.text,
    onClick: () -> Unit,
) : ImageButton(skin.context) {
    init {
        layoutParams = LinearLayout.LayoutParams(skin.px(TARGET_DP), skin.px(TARGET_DP))
        scaleType = ImageView.ScaleType.CENTER
        background = skin.touchable(TARGET_DP / 2)
        setOnClickListener { onClick() }
        show(icon, does)
    }

    fun show(
        icon: Icon,
        does: String,
    ) {
        if (does == contentDescription) return
        contentDescription = does
        setImageDrawable(IconDrawable(icon, color, skin.px(ICON_DP)))
    }

    companion object {
        /** The least side of what a finger has to hit. */
        const val TARGET_DP: Int = 48
        const val ICON_DP: Int = 24
    }
}
