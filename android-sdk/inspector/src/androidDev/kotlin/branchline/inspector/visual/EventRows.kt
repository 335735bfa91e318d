package branchline.inspector.visual

import android.view.View
import android.view.ViewGroup
import android.widget.BaseAdapter

/** Gives the list its rows and takes back those that left the screen. */
internal class EventRows(
    private val theme: ViewTheme,
    private val actions: InspectorActions,
) : BaseAdapter() {
    private var items = emptyList<ListItem>()

    fun show(items: List<ListItem>) {
        this.items = items
        notifyDataSetChanged()
    }

    override fun getCount(): Int = items.size

    override fun getItem(position: Int): ListItem = items[position]

    override fun getItemId(position: Int): Long = items[position].id

    override fun hasStableIds(): Boolean = true

    override fun areAllItemsEnabled(): Boolean = false

    override fun isEnabled(position: Int): Boolean = items[position] is ListItem.Event

    override fun getViewTypeCount(): Int = TYPES

    override fun getItemViewType(position: Int): Int =
        when (items[position]) {
            is ListItem.Event -> EVENT
            is ListItem.Property -> PROPERTY
            is ListItem.Copy -> COPY
        }

    override fun getView(
        position: Int,
        recycled: View?,
        parent: ViewGroup,
    ): View =
        when (val item = items[position]) {
            is ListItem.Event -> (recycled as? EventRow ?: EventRow(theme, actions)).apply { bind(item) }
            is ListItem.Property -> (recycled as? PropertyRow ?: PropertyRow(theme)).apply { bind(item.line) }
            is ListItem.Copy -> (recycled as? CopyRow ?: CopyRow(theme, actions)).apply { bind(item.report) }
        }

    private companion object {
        const val EVENT = 0
        const val PROPERTY = 1
        const val COPY = 2
        const val TYPES = 3
    }
}
