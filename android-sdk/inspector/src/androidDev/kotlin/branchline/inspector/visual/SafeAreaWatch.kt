package branchline.inspector.visual

import android.graphics.Rect
import android.view.View
import android.view.ViewTreeObserver

/** Tells when the [SafeArea] of [view] changed: bars that come and go, a keyboard, a cutout on another side. */
internal class SafeAreaWatch(
    private val view: View,
    private val onChange: (Rect) -> Unit,
) {
    val area: Rect = Rect()
    private val fresh = Rect()

    // Before Android 11 insets that a sibling consumed are not told; a layout follows them in any case.
    private val layoutEnds = ViewTreeObserver.OnGlobalLayoutListener { look() }

    fun start(): Unit = view.viewTreeObserver.addOnGlobalLayoutListener(layoutEnds)

    fun stop(): Unit = view.viewTreeObserver.removeOnGlobalLayoutListener(layoutEnds)

    fun look() {
        SafeArea.read(view, fresh)
        if (fresh == area) return
        area.set(fresh)
        onChange(area)
    }
}
