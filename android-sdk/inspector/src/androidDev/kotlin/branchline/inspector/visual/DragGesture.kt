package branchline.inspector.visual

import android.view.MotionEvent
import android.view.View
import android.view.ViewConfiguration
import kotlin.math.hypot

/** Tells a drag of [view] from a tap. */
internal class DragGesture(
    private val view: View,
    private val onMove: (x: Float, y: Float) -> Unit,
    private val onDrop: () -> Unit,
) {
    private val slop = ViewConfiguration.get(view.context).scaledTouchSlop
    private var downX = 0f
    private var downY = 0f
    private var viewX = 0f
    private var viewY = 0f

    var isDragging: Boolean = false
        private set

    /** Whether [event] is part of a drag, and so no business of the view's own. */
    fun onTouch(event: MotionEvent): Boolean {
        when (event.actionMasked) {
            MotionEvent.ACTION_DOWN -> begin(event)
            MotionEvent.ACTION_MOVE -> move(event)
            MotionEvent.ACTION_UP, MotionEvent.ACTION_CANCEL -> return end()
        }
        return isDragging
    }

    private fun begin(event: MotionEvent) {
        view.animate().cancel()
        downX = event.rawX
        downY = event.rawY
        viewX = view.x
        viewY = view.y
    }

    private fun move(event: MotionEvent) {
        val dx = event.rawX - downX
        val dy = event.rawY - downY
        if (!isDragging && hypot(dx, dy) > slop) {
            isDragging = true
            view.cancelPendingInputEvents()
            view.isPressed = false
        }
        if (isDragging) onMove(viewX + dx, viewY + dy)
    }

    private fun end(): Boolean {
        if (!isDragging) return false
        isDragging = false
        onDrop()
        return true
    }
}
