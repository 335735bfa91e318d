package branchline.inspector.visual

import android.graphics.Canvas
import android.graphics.Paint
import android.graphics.RectF
import branchline.inspector.queue.ReportState

/** What stands on the bubble: an icon, the count of events, and the badge of those that failed. */
internal class BubbleFace(
    private val theme: ViewTheme,
) {
    private val icon = IconDrawable(Icon.SCHEMA, theme.palette.onBubble, theme.px(ICON_DP))
    private val fill = Paint(Paint.ANTI_ALIAS_FLAG)
    private val lettering =
        Paint(Paint.ANTI_ALIAS_FLAG).apply {
            textAlign = Paint.Align.CENTER
            typeface = MEDIUM
        }
    private val badge = RectF()
    private var tracked = ""
    private var failed = ""

    fun show(snapshot: RecentSnapshot) {
        val failures = snapshot.count(ReportState.FAILED)
        tracked = shortCount(snapshot.tracked)
        failed = if (failures == 0) "" else shortCount(failures.toLong())
    }

    fun draw(
        canvas: Canvas,
        side: Float,
        rightToLeft: Boolean,
    ) {
        drawIcon(canvas, side)
        lettering.color = theme.palette.onBubble
        lettering.textSize = theme.px(COUNT_DP).toFloat()
        drawFitting(canvas, tracked, side / 2, side * COUNT_BASELINE, side * COUNT_WIDTH)
        if (failed.isNotEmpty()) drawBadge(canvas, side, rightToLeft)
    }

    private fun drawIcon(
        canvas: Canvas,
        side: Float,
    ) {
        val size = theme.px(ICON_DP)
        val left = (side.toInt() - size) / 2
        val top = (side * ICON_TOP).toInt()
        icon.setBounds(left, top, left + size, top + size)
        icon.draw(canvas)
    }

    private fun drawBadge(
        canvas: Canvas,
        side: Float,
        rightToLeft: Boolean,
    ) {
        val size = theme.px(BADGE_DP).toFloat()
        val left = if (rightToLeft) 0f else side - size
        badge.set(left, 0f, left + size, size)
        fill.color = theme.palette.surface
        canvas.drawOval(badge, fill)
        val ring = theme.px(BADGE_RING_DP).toFloat()
        badge.inset(ring, ring)
        fill.color = theme.palette.badge
        canvas.drawOval(badge, fill)
        lettering.color = theme.palette.onBadge
        lettering.textSize = theme.px(BADGE_TEXT_DP).toFloat()
        drawFitting(canvas, failed, badge.centerX(), badge.centerY() + size * BADGE_BASELINE, badge.width() * BADGE_WIDTH)
    }

    /** The bubble has one size, so its text follows the bubble, not the font scale; it is read out in full. */
    private fun drawFitting(
        canvas: Canvas,
        text: String,
        x: Float,
        baseline: Float,
        room: Float,
    ) {
        val needed = lettering.measureText(text)
        if (needed > room) lettering.textSize *= room / needed
        canvas.drawText(text, x, baseline, lettering)
    }

    companion object {
        private const val ICON_DP = 20
        private const val ICON_TOP = 0.2f
        private const val COUNT_DP = 16
        private const val COUNT_BASELINE = 0.76f
        private const val COUNT_WIDTH = 0.6f
        private const val BADGE_DP = 24
        private const val BADGE_RING_DP = 2
        private const val BADGE_TEXT_DP = 12
        private const val BADGE_BASELINE = 0.18f
        private const val BADGE_WIDTH = 0.8f
        private const val THOUSAND = 1000L

        /** At most four characters: `999`, `1k`, `999k`, `1M+`. */
        fun shortCount(count: Long): String =
            when {
                count < THOUSAND -> count.toString()
                count < THOUSAND * THOUSAND -> "${count / THOUSAND}k"
                else -> "1M+"
            }
    }
}
