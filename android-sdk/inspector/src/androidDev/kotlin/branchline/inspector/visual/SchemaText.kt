package branchline.inspector.visual

/** The schema of [report] as text for a chat or an issue: the event's name, and its properties indented beneath it. */
internal fun schemaText(report: Report): String =
    buildString {
        append(report.event.eventName)
        for (line in schemaLines(report)) {
            append('\n')
            repeat(line.depth + 1) { append("  ") }
            if (line.name == null) append("- ") else append(line.name).append(": ")
            append(line.type)
            if (line.was != null) append(" (").append(Texts.was(line.was)).append(')')
        }
    }
