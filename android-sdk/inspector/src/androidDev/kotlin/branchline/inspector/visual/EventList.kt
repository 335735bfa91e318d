package branchline.inspector.visual

import android.view.Gravity
import android.view.View
import android.view.ViewGroup.LayoutParams.MATCH_PARENT
import android.widget.FrameLayout
import android.widget.ListView

/** The events, newest first, or why there are none. */
internal class EventList(
    theme: ViewTheme,
    private val actions: InspectorActions,
) : FrameLayout(theme.context) {
    private val rows = EventRows(theme, actions)
    private val list =
        ListView(theme.context).apply {
            divider = null
            clipToPadding = false
            itemsCanFocus = true
            selector = theme.touchable(radius = 0)
            setPadding(0, 0, 0, theme.px(GAP_DP))
            adapter = rows
            setOnItemClickListener { _, _, position, _ -> actions.foldOrUnfold(rows.getItem(position).report) }
        }
    private val nothing =
        theme.label(TEXT_SP, theme.palette.quietText).apply {
            gravity = Gravity.CENTER
            textAlignment = View.TEXT_ALIGNMENT_CENTER
            setPadding(theme.px(SIDE_DP), theme.px(GAP_DP), theme.px(SIDE_DP), theme.px(GAP_DP))
        }

    init {
        addView(list, LayoutParams(MATCH_PARENT, MATCH_PARENT))
        addView(nothing, LayoutParams(MATCH_PARENT, MATCH_PARENT))
        list.emptyView = nothing
    }

    fun render(
        reports: List<Report>,
        unfolded: Set<Long>,
        whenEmpty: String,
    ) {
        nothing.text = whenEmpty
        // Who reads further down keeps their place, by the rows' ids; who is at the top sees the new ones.
        val atTop = list.firstVisiblePosition == 0 && (list.getChildAt(0)?.top ?: 0) >= 0
        rows.show(listItems(reports, unfolded))
        if (atTop) list.setSelection(0)
    }

    private companion object {
        const val TEXT_SP = 15f
        const val SIDE_DP = 24
        const val GAP_DP = 8
    }
}
