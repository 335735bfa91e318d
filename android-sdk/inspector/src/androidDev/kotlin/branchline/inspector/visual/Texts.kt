package branchline.inspector.visual

import java.text.NumberFormat
import java.text.SimpleDateFormat
import java.util.Date
import java.util.Locale

/** What the inspector says, in the language of those who write code: English, with its digits, whatever the device speaks. */
internal object Texts {
    const val TITLE: String = "Events"
    const val PANE_TITLE: String = "Inspector events"
    const val PAUSE: String = "Pause the list"
    const val RESUME: String = "Resume the list"
    const val CLEAR: String = "Clear the list"
    const val HIDE: String = "Hide the inspector"
    const val CLOSE: String = "Close the list"
    const val SEARCH: String = "Event or property"
    const val CLEAR_SEARCH: String = "Clear the search"
    const val COPY: String = "Copy schema"
    const val COPIED: String = "Schema copied"
    const val CLEARED: String = "List cleared"
    const val PAUSED: String = "List paused"
    const val RESUMED: String = "List resumed"
    const val NOTHING_YET: String = "No events yet.\nTrack one, and it appears here."
    const val NO_EVENT_YET: String = "No events yet"
    const val NO_PROPERTIES: String = "No properties"
    const val DOT: String = " · "
    const val NO_BREAK: String = "\u00A0"
    const val WARNING: String = "⚠ "

    fun nothingFound(query: String): String = "No event or property contains “$query”."

    fun number(value: Long): String = NumberFormat.getIntegerInstance(Locale.US).format(value)

    fun events(count: Long): String = counted(count, "event", "events")

    fun properties(count: Int): String = counted(count.toLong(), "property", "properties")

    fun changedTypes(count: Int): String = counted(count.toLong(), "type changed", "types changed")

    fun was(type: String): String = "was $type"

    fun time(millis: Long): String = SimpleDateFormat("HH:mm:ss", Locale.US).format(Date(millis))

    /** What the list shows of all that was tracked. */
    fun totals(
        shown: RecentSnapshot,
        found: Int,
        newer: Long?,
    ): String {
        val kept = shown.newestFirst.size
        val all = if (kept.toLong() == shown.tracked) events(shown.tracked) else "last ${number(kept.toLong())} of ${events(shown.tracked)}"
        val matches = if (found == kept) "" else "${number(found.toLong())} found in "
        val paused = if (newer == null) "" else "Paused, ${number(newer)} new$DOT"
        return paused + matches + all
    }

    private fun counted(
        count: Long,
        one: String,
        many: String,
    ): String = number(count) + NO_BREAK + if (count == 1L) one else many
}
