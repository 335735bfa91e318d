package branchline.inspector.visual

import android.graphics.Canvas
import android.graphics.Rect
import android.graphics.drawable.InsetDrawable
import android.view.MotionEvent
import android.view.View
import android.widget.Button
import android.widget.FrameLayout

/** A round button with the number of tracked events and, if any failed, their number. It can be dragged to either side. */
internal class Bubble(
    private val theme: ViewTheme,
    private val place: BubblePlace,
    onClick: () -> Unit,
) : View(theme.context),
    Entry {
    override val view: View get() = this

    private val face = BubbleFace(theme)
    private val drag = DragGesture(this, ::dragTo, ::drop)
    private val safeArea = Rect()
    private val area = Rect()
    private val overlay: View? get() = parent as? View
    private val overlayResized = OnLayoutChangeListener { _, _, _, _, _, _, _, _, _ -> rest() }

    init {
        layoutParams = FrameLayout.LayoutParams(theme.px(SIZE_DP), theme.px(SIZE_DP))
        val circle = theme.rounded(theme.palette.bubble, top = SIZE_DP / 2)
        background = InsetDrawable(theme.touchable(circle), theme.px(RIM_DP))
        elevation = theme.px(ELEVATION_DP).toFloat()
        isFocusable = true
        setOnClickListener { onClick() }
    }

    override fun render(snapshot: RecentSnapshot) {
        face.show(snapshot)
        contentDescription = AccessibilityText.snapshot(snapshot)
        invalidate()
    }

    override fun keepClear(safeArea: Rect) {
        this.safeArea.set(safeArea)
        rest()
    }

    override fun onAttachedToWindow() {
        super.onAttachedToWindow()
        overlay?.addOnLayoutChangeListener(overlayResized)
        rest()
    }

    override fun onDetachedFromWindow() {
        overlay?.removeOnLayoutChangeListener(overlayResized)
        super.onDetachedFromWindow()
    }

    override fun onTouchEvent(event: MotionEvent): Boolean = drag.onTouch(event) || super.onTouchEvent(event)

    override fun getAccessibilityClassName(): CharSequence = Button::class.java.name

    override fun onDraw(canvas: Canvas) {
        face.draw(canvas, width.toFloat(), isRightToLeft())
    }

    private fun rest() {
        val overlay = overlay ?: return
        val gap = theme.px(RIM_DP)
        area.set(
            safeArea.left + gap,
            safeArea.top + gap,
            overlay.width - safeArea.right - gap,
            overlay.height - safeArea.bottom - gap,
        )
        if (drag.isDragging) return
        x = restingX()
        y = restingY()
    }

    private fun dragTo(
        x: Float,
        y: Float,
    ) {
        this.x = x.coerceIn(area.left.toFloat(), maxOf(area.left, area.right - width).toFloat())
        this.y = y.coerceIn(area.top.toFloat(), maxOf(area.top, area.bottom - height).toFloat())
    }

    private fun drop() {
        place.drop(x, y, area, width, isRightToLeft())
        animate().x(restingX()).y(restingY()).setDuration(SNAP_MILLIS)
    }

    private fun restingX() = place.x(area, layoutParams.width, isRightToLeft()).toFloat()

    private fun restingY() = place.y(area, layoutParams.height).toFloat()

    private fun isRightToLeft() = layoutDirection == LAYOUT_DIRECTION_RTL

    private companion object {
        const val SIZE_DP = 64

        /** Around the circle, for the badge; as much again keeps it off the edge. */
        const val RIM_DP = 4
        const val ELEVATION_DP = 6
        const val SNAP_MILLIS = 150L
    }
}
