package branchline.inspector.visual

import android.graphics.Rect
import android.view.View

/** What stands for the inspector while its panel is closed. */
internal interface Entry {
    val view: View

    fun render(snapshot: RecentSnapshot)

    /** Nothing of it may stand nearer to the sides of the overlay than [safeArea] tells. */
    fun keepClear(safeArea: Rect)
}
