package branchline.inspector.visual

/** One row of the list. An unfolded schema is a row for each line, so that it is recycled as the rest is. */
internal sealed class ListItem(
    val report: Report,
    line: Int,
) {
    /** The same for the same row, wherever it stands. */
    val id: Long = report.number * LINES + line

    class Event(
        report: Report,
        val unfolded: Boolean,
    ) : ListItem(report, 0)

    class Property(
        report: Report,
        val line: SchemaLine?,
        index: Int,
    ) : ListItem(report, index + 1)

    class Copy(
        report: Report,
    ) : ListItem(report, LINES - 1)

    private companion object {
        const val LINES = 1_000_000
    }
}

/** The rows that show [reports], of which those in [unfolded] with their schema. */
internal fun listItems(
    reports: List<Report>,
    unfolded: Set<Long>,
): List<ListItem> =
    buildList {
        for (report in reports) {
            val open = report.number in unfolded
            add(ListItem.Event(report, open))
            if (open) addSchema(report)
        }
    }

private fun MutableList<ListItem>.addSchema(report: Report) {
    val lines = schemaLines(report)
    lines.forEachIndexed { index, line -> add(ListItem.Property(report, line, index)) }
    if (lines.isEmpty()) add(ListItem.Property(report, null, 0))
    add(ListItem.Copy(report))
}
