package branchline.inspector.visual

import android.graphics.Canvas
import android.graphics.ColorFilter
import android.graphics.Paint
import android.graphics.PixelFormat
import android.graphics.drawable.Drawable

/** An [Icon] drawn in one colour, [size] pixels wide and high unless its bounds say otherwise. */
internal class IconDrawable(
    icon: Icon,
    color: Int,
    private val size: Int,
) : Drawable() {
    private val path = icon.path
    private val paint =
        Paint(Paint.ANTI_ALIAS_FLAG).apply {
            this.color = color
            style = Paint.Style.STROKE
            strokeWidth = STROKE
            strokeCap = Paint.Cap.ROUND
            strokeJoin = Paint.Join.ROUND
        }

    override fun draw(canvas: Canvas) {
        val mark = canvas.save()
        canvas.translate(bounds.left.toFloat(), bounds.top.toFloat())
        canvas.scale(bounds.width() / Icon.FIELD, bounds.height() / Icon.FIELD)
        canvas.drawPath(path, paint)
        canvas.restoreToCount(mark)
    }

    override fun getIntrinsicWidth(): Int = size

    override fun getIntrinsicHeight(): Int = size

    override fun setAlpha(alpha: Int) {
        paint.alpha = alpha
    }

    override fun setColorFilter(filter: ColorFilter?) {
        paint.colorFilter = filter
    }

    @Deprecated("The platform asks no more, but still declares it.")
    override fun getOpacity(): Int = PixelFormat.TRANSLUCENT

    private companion object {
        const val STROKE = 2f
    }
}
