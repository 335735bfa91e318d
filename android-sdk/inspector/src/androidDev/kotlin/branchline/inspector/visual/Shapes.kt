package branchline.inspector.visual

import android.content.res.ColorStateList
import android.graphics.Color
import android.graphics.drawable.Drawable
import android.graphics.drawable.GradientDrawable
import android.graphics.drawable.RippleDrawable

/** A rectangle filled with [color], its upper corners rounded by [top] dp and its lower ones by [bottom]. */
internal fun ViewTheme.rounded(
    color: Int,
    top: Int,
    bottom: Int = top,
): GradientDrawable =
    GradientDrawable().apply {
        setColor(color)
        val above = px(top).toFloat()
        val below = px(bottom).toFloat()
        cornerRadii = floatArrayOf(above, above, above, above, below, below, below, below)
    }

/** [background] that answers a touch. */
internal fun ViewTheme.touchable(background: Drawable): Drawable = RippleDrawable(ColorStateList.valueOf(palette.ripple), background, null)

/** Nothing, but in answer to a touch a rectangle with corners of [radius] dp. */
internal fun ViewTheme.touchable(radius: Int): Drawable =
    RippleDrawable(ColorStateList.valueOf(palette.ripple), null, rounded(Color.WHITE, radius))
