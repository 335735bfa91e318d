package branchline.inspector.visual

import branchline.inspector.queue.ReportState

/** What a screen reader says. */
internal object AccessibilityText {
    /** The entry: what [snapshot] holds. */
    fun snapshot(snapshot: RecentSnapshot): String {
        val failed = snapshot.count(ReportState.FAILED)
        val failures = if (failed == 0) "" else ", $failed failed"
        val last = snapshot.newestFirst.firstOrNull()?.let { ". Last: ${it.event.eventName}, ${word(it)}" } ?: ""
        return "Inspector, ${Texts.events(snapshot.tracked)}$failures$last"
    }

    /** An event. */
    fun event(report: Report): String {
        val changed = report.changedTypes.size
        val changes = if (changed == 0) "" else ", ${Texts.changedTypes(changed)}"
        val time = Texts.time(report.event.observedAtMillis)
        return "${report.event.eventName}, ${word(report)}, $time, ${Texts.properties(report.event.schema.size)}$changes"
    }

    /** A line of a schema. */
    fun property(line: SchemaLine): String {
        val level = if (line.depth == 0) "" else ", level ${line.depth + 1}"
        val change = if (line.was == null) "" else ", ${Texts.was(line.was)}"
        return "${line.name ?: "holds"}, ${line.type}$change$level"
    }

    private fun word(report: Report) = ReportStateStyle.find(report.state).word.lowercase()
}
