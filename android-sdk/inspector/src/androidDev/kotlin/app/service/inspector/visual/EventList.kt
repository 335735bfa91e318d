package app.service.inspector.visual

import android.view.Gravity
import android.view.View
import android.view.ViewGroup.LayoutParams.MATCH_PARENT
import android.widget.FrameLayout
import android.widget.ListView

/** The events, newest first, or why there are none. */
internal class EventList(
    skin: Skin,
    private val actions: InspectorActions,
) : FrameLayout(skin.context) {
    private val rows = EventRows(skin, actions)
    private val list =
        ListView(skin.context).apply {
            divider = null
            clipToPadding = false
            itemsCanFocus = true
            selector = skin.touchable(radius = 0)
            setPadding(0, 0, 0, skin.px(GAP_DP))
            adapter = rows
            setOnItemClickListener { _, _, position, _ -> actions.foldOrUnfold(rows.getItem(position).report) }
        }
    private val nothing =
        skin.label(TEXT_SP, skin.palette.quietText).apply {
            gravity = Gravity.CENTER
            textAlignment = View.TEXT_ALIGNMENT_CENTER
            setPadding(skin.px(SIDE_DP), skin.px(GAP_DP), skin.px(SIDE_DP), skin.px(GAP_DP))
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
