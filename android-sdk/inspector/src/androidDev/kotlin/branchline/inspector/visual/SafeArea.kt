package branchline.inspector.visual

import android.annotation.TargetApi
import android.graphics.Rect
import android.os.Build
import android.view.View
import android.view.WindowInsets

/** How far system bars, cutouts and the keyboard reach into a window, from each side. */
internal object SafeArea {
    /** Writes to [out] what has to be kept clear at the sides of [view], which fills its window. */
    fun read(
        view: View,
        out: Rect,
    ) {
        val insets = if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.M) Api23.rootInsets(view) else null
        when {
            insets == null -> readVisibleFrame(view, out)
            Build.VERSION.SDK_INT >= Build.VERSION_CODES.R -> Api30.read(insets, out)
            else -> readSystemWindow(insets, out)
        }
    }

    private fun readVisibleFrame(
        view: View,
        out: Rect,
    ) {
        view.getWindowVisibleDisplayFrame(out)
        val corner = IntArray(2).also(view::getLocationOnScreen)
        out.set(
            maxOf(0, out.left - corner[0]),
            maxOf(0, out.top - corner[1]),
            maxOf(0, corner[0] + view.width - out.right),
            maxOf(0, corner[1] + view.height - out.bottom),
        )
    }

    @Suppress("DEPRECATION")
    private fun readSystemWindow(
        insets: WindowInsets,
        out: Rect,
    ) {
        out.set(
            insets.systemWindowInsetLeft,
            insets.systemWindowInsetTop,
            insets.systemWindowInsetRight,
            insets.systemWindowInsetBottom,
        )
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) Api28.widenByCutout(insets, out)
    }

    @TargetApi(Build.VERSION_CODES.M)
    private object Api23 {
        fun rootInsets(view: View): WindowInsets? = view.rootWindowInsets
    }

    @TargetApi(Build.VERSION_CODES.P)
    private object Api28 {
        fun widenByCutout(
            insets: WindowInsets,
            out: Rect,
        ) {
            val cutout = insets.displayCutout ?: return
            out.set(
                maxOf(out.left, cutout.safeInsetLeft),
                maxOf(out.top, cutout.safeInsetTop),
                maxOf(out.right, cutout.safeInsetRight),
                maxOf(out.bottom, cutout.safeInsetBottom),
            )
        }
    }

    @TargetApi(Build.VERSION_CODES.R)
    private object Api30 {
        fun read(
            insets: WindowInsets,
            out: Rect,
        ) {
            val types = WindowInsets.Type.systemBars() or WindowInsets.Type.displayCutout() or WindowInsets.Type.ime()
            val sides = insets.getInsets(types)
            out.set(sides.left, sides.top, sides.right, sides.bottom)
        }
    }
}
