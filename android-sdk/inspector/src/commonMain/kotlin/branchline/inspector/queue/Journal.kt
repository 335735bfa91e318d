package branchline.inspector.queue

import branchline.inspector.platform.checksum

/**
 * The file that lets a queue outlive its process: a line for each event, and one for each batch that is formed. A line begins with
 * its checksum and stands between two line breaks, so that damage costs the line that it touches and no other.
 */
internal class Journal(
    private val disk: Disk,
) {
    private var fileBytes = 0L

    /**
     * What is in the queue by the file.
     *
     * @throws DiskFailure when it can't be read
     */
    fun load(): JournalContent {
        val file = disk.read(FILE) ?: ByteArray(0)
        fileBytes = file.size.toLong()
        val content = JournalContent()
        for (line in file.decodeToString().split(BREAK)) if (line.isNotEmpty()) content.take(line)
        return content
    }

    /** @throws DiskFailure when not all could be written */
    fun append(events: List<QueuedEvent>) = append(textOfEvents(events))

    /**
     * Notes that these events are being sent as a batch of this id; it keeps the id when it is sent again.
     *
     * @throws DiskFailure when it could not
     */
    fun appendBatch(
        batchId: String,
        messageIds: List<String>,
    ) = append(StringBuilder().apply { appendLine(BATCH + TAB + batchId + TAB + messageIds.joinToString(TAB)) })

    /**
     * Writes the file anew, with these events alone.
     *
     * @throws DiskFailure when it could not; the old file is still there
     */
    fun rewrite(events: List<QueuedEvent>) {
        if (events.isEmpty()) return clear()
        val bytes = textOfEvents(events).toString().encodeToByteArray()
        disk.replace(FILE, bytes)
        fileBytes = bytes.size.toLong()
    }

    /** @throws DiskFailure when the file is still there */
    fun clear() {
        disk.delete(FILE)
        fileBytes = 0
    }

    /** Whether most of the file is about events that are gone. */
    fun isMostlyDead(live: List<QueuedEvent>): Boolean {
        var liveBytes = 0L
        for (event in live) liveBytes += event.bytes
        return fileBytes - liveBytes > maxOf(liveBytes, WORTH_REWRITING)
    }

    private fun append(lines: StringBuilder) {
        if (lines.isEmpty()) return
        val bytes = lines.toString().encodeToByteArray()
        disk.append(FILE, bytes)
        fileBytes += bytes.size
    }

    private fun textOfEvents(events: List<QueuedEvent>): StringBuilder {
        val text = StringBuilder()
        for (event in events) {
            text.appendLine(EVENT + TAB + event.messageId + TAB + event.observedAtMillis + TAB + event.appVersion + TAB + event.json)
        }
        return text
    }

    private fun StringBuilder.appendLine(payload: String) {
        append(BREAK).append(seal(payload)).append(BREAK)
    }

    @Suppress("MagicNumber") // The places of the fields.
    private fun JournalContent.take(line: String) {
        val fields = if (line == seal(line.drop(SEAL_LENGTH))) line.drop(SEAL_LENGTH).split(TAB) else emptyList()
        val observedAt = fields.getOrNull(2)?.toLongOrNull()
        when {
            fields.isEmpty() -> damagedLines++
            fields[0] == BATCH -> batch = fields.drop(1)
            fields.size == EVENT_FIELDS && observedAt != null -> add(QueuedEvent(fields[1], observedAt, fields[3], fields[4]))
        }
    }

    /** JSON and labels have neither line breaks nor tabs of their own. */
    private fun seal(payload: String): String = (SEAL + checksum(payload)).toString(HEX) + payload

    private companion object {
        const val FILE = "queue"
        const val EVENT = "E"
        const val BATCH = "B"
        const val TAB = "\t"
        const val BREAK = "\n"
        const val EVENT_FIELDS = 5
        const val HEX = 16

        /** Above any checksum, so that all have the same length. */
        const val SEAL = 1L shl 32
        const val SEAL_LENGTH = 9
        const val WORTH_REWRITING = 64L * 1024
    }
}

/** What a journal says. */
internal class JournalContent {
    private val byId = LinkedHashMap<String, QueuedEvent>()

    /** In the order in which they came. */
    val events: List<QueuedEvent> get() = byId.values.toList()

    /** The id of the last batch that was formed, and those of its events; empty where none was. It may have been answered. */
    var batch: List<String> = emptyList()

    /** How many lines could not be read. */
    var damagedLines: Int = 0

    fun add(event: QueuedEvent) {
        byId[event.messageId] = event
    }
}
