package branchline.inspector.visual

import android.graphics.Canvas
import android.graphics.Paint
import android.graphics.Typeface
import android.text.SpannableStringBuilder
import android.text.Spanned
import android.text.style.ForegroundColorSpan
import android.view.ViewGroup.LayoutParams.MATCH_PARENT
import android.view.ViewGroup.LayoutParams.WRAP_CONTENT
import android.widget.FrameLayout

/** One line of an unfolded schema, indented by its depth, with a guide for each level. */
internal class PropertyRow(
    private val theme: ViewTheme,
) : FrameLayout(theme.context) {
    private val text = theme.label(TEXT_SP, theme.palette.text, Typeface.MONOSPACE)
    private val guide =
        Paint().apply {
            color = theme.palette.line
            strokeWidth = theme.px(1).toFloat()
        }
    private var depth = 0

    init {
        setWillNotDraw(false)
        text.setLineSpacing(0f, LINE_SPACING)
        addView(text, LayoutParams(MATCH_PARENT, WRAP_CONTENT))
    }

    fun bind(line: SchemaLine?) {
        depth = line?.depth ?: 0
        val indent = START_DP + depth * INDENT_DP
        text.setPaddingRelative(theme.px(indent), theme.px(ABOVE_DP), theme.px(END_DP), theme.px(ABOVE_DP))
        text.text = if (line == null) Texts.NO_PROPERTIES else written(line)
        text.setBackgroundColor(if (line?.was == null) theme.palette.inset else theme.palette.changedInset)
        contentDescription = line?.let(AccessibilityText::property) ?: Texts.NO_PROPERTIES
    }

    private fun written(line: SchemaLine): CharSequence {
        val out = SpannableStringBuilder()
        if (line.name == null) out.add("• ", theme.palette.quietText) else out.add(line.name, theme.palette.text).append("  ")
        out.add(line.type, theme.palette.accent)
        if (line.was != null) out.append("  ").add(Texts.WARNING + Texts.was(line.was), theme.palette.changed)
        return out
    }

    private fun SpannableStringBuilder.add(
        part: String,
        color: Int,
    ): SpannableStringBuilder {
        val start = length
        append(part)
        setSpan(ForegroundColorSpan(color), start, length, Spanned.SPAN_EXCLUSIVE_EXCLUSIVE)
        return this
    }

    override fun dispatchDraw(canvas: Canvas) {
        super.dispatchDraw(canvas)
        for (level in 0 until depth) {
            val fromStart = theme.px(START_DP + level * INDENT_DP + GUIDE_DP).toFloat()
            val x = if (layoutDirection == LAYOUT_DIRECTION_RTL) width - fromStart else fromStart
            canvas.drawLine(x, 0f, x, height.toFloat(), guide)
        }
    }

    private companion object {
        const val TEXT_SP = 13f
        const val LINE_SPACING = 1.1f
        const val START_DP = 56
        const val END_DP = 16
        const val INDENT_DP = 16
        const val GUIDE_DP = 4
        const val ABOVE_DP = 4
    }
}
