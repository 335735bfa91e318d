package branchline.inspector.queue

import branchline.inspector.platform.checksum
import branchline.inspector.platform.decodeUtf8
import branchline.inspector.platform.encodeUtf8
import branchline.inspector.platform.numberOf

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
        for (line in decodeUtf8(file).split(BREAK)) if (line.isNotEmpty()) take(line, content)
        return content
    }

    /**
     * Writes at the end.
     *
     * @throws DiskFailure when not all could be written
     */
    fun append(lines: String) {
        if (lines.isEmpty()) return
        val bytes = encodeUtf8(lines)
        disk.append(FILE, bytes)
        fileBytes += bytes.size
    }

    /**
     * Writes the file anew, with these events alone; without any it is none.
     *
     * @throws DiskFailure when it could not; the old file is still there
     */
    fun rewrite(events: List<QueuedEvent>) {
        val bytes = encodeUtf8(linesOf(events))
        if (events.isEmpty()) disk.delete(FILE) else disk.replace(FILE, bytes)
        fileBytes = bytes.size.toLong()
    }

    /** Whether most of the file is about events that are gone. */
    fun isMostlyDead(live: List<QueuedEvent>): Boolean {
        var liveBytes = 0L
        for (event in live) liveBytes += event.bytes
        return fileBytes - liveBytes > maxOf(liveBytes, WORTH_REWRITING)
    }

    @Suppress("MagicNumber") // The places of the fields.
    private fun take(
        line: String,
        content: JournalContent,
    ) {
        val payload = line.substring(minOf(SEAL_LENGTH, line.length))
        val fields = payload.split(TAB)
        when {
            line != seal(payload) -> content.damagedLines++

            fields[0] == BATCH -> content.batch = fields.subList(1, fields.size)

            // Of an event that stands there twice the later counts, in the place of the first.
            fields.size == EVENT_FIELDS -> content.add(QueuedEvent(fields[1], numberOf(fields[2], 0), fields[3], fields[4]))
        }
    }

    internal companion object {
        private const val FILE = "queue"
        private const val EVENT = "E"
        private const val BATCH = "B"
        private const val TAB = '\t'
        private const val BREAK = '\n'
        private const val EVENT_FIELDS = 5
        private const val HEX = 16

        /** Above any checksum, so that all have the same length. */
        private const val SEAL = 1L shl 32
        private const val SEAL_LENGTH = 9
        private const val WORTH_REWRITING = 64L * 1024

        /** The lines of events. */
        fun linesOf(events: List<QueuedEvent>): String {
            val lines = StringBuilder()
            for (event in events) {
                val payload = "$EVENT$TAB${event.messageId}$TAB${event.observedAtMillis}$TAB${event.appVersion}$TAB${event.json}"
                lines.append(BREAK).append(seal(payload)).append(BREAK)
            }
            return lines.toString()
        }

        /** Notes that these events are being sent as a batch of this id; it keeps the id when it is sent again. */
        fun lineOfBatch(
            batchId: String,
            events: List<QueuedEvent>,
        ): String {
            val payload = StringBuilder(BATCH).append(TAB).append(batchId)
            for (event in events) payload.append(TAB).append(event.messageId)
            return "$BREAK${seal(payload.toString())}$BREAK"
        }

        /** JSON and labels have neither line breaks nor tabs of their own. */
        private fun seal(payload: String): String = (SEAL + checksum(payload)).toString(HEX) + payload
    }
}

/** What a journal says. */
internal class JournalContent {
    private val byId = LinkedHashMap<String, QueuedEvent>()

    /** In the order in which they came. */
    val events: List<QueuedEvent> get() = ArrayList(byId.values)

    /** The id of the last batch that was formed, and those of its events; empty where none was. It may have been answered. */
    var batch: List<String> = emptyList()

    /** How many lines could not be read. */
    var damagedLines: Int = 0

    fun add(event: QueuedEvent) {
        byId[event.messageId] = event
    }
}
