package branchline.inspector.visual

import android.graphics.Rect
import kotlin.math.roundToInt

/** Where the bubble rests, apart from any screen's size: at an edge, and how far down (0 top, 1 bottom). */
internal class BubblePlace {
    private var atEnd = true
    private var down = DEFAULT_DOWN

    /** The left side of a bubble of [size] within [area]. */
    fun x(
        area: Rect,
        size: Int,
        rightToLeft: Boolean,
    ): Int = if (atEnd == rightToLeft) area.left else maxOf(area.left, area.right - size)

    /** The upper side of a bubble of [size] within [area]. */
    fun y(
        area: Rect,
        size: Int,
    ): Int = area.top + (room(area, size) * down).roundToInt()

    /** Takes the edge that is nearest to a bubble let go at [x], [y]. */
    fun drop(
        x: Float,
        y: Float,
        area: Rect,
        size: Int,
        rightToLeft: Boolean,
    ) {
        val atRight = x + size / 2f > area.exactCenterX()
        atEnd = atRight != rightToLeft
        val room = room(area, size)
        down = if (room == 0) 0f else ((y - area.top) / room).coerceIn(0f, 1f)
    }

    private fun room(
        area: Rect,
        size: Int,
    ) = maxOf(0, area.height() - size)

    private companion object {
        const val DEFAULT_DOWN = 0.3f
    }
}
