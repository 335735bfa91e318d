package branchline.inspector.visual

import android.graphics.Typeface
import android.util.TypedValue
import android.view.View
import android.widget.TextView

/** A text of [sp] scaled pixels that reads from the start side. */
internal fun ViewTheme.label(
    sp: Float,
    color: Int,
    typeface: Typeface = Typeface.SANS_SERIF,
): TextView =
    TextView(context).apply {
        setTextSize(TypedValue.COMPLEX_UNIT_SP, sp)
        setTextColor(color)
        this.typeface = typeface
        textAlignment = View.TEXT_ALIGNMENT_VIEW_START
    }

internal val MEDIUM: Typeface = Typeface.create("sans-serif-medium", Typeface.NORMAL)
