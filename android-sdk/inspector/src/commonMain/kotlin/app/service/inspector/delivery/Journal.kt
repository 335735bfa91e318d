package app.service.inspector.delivery

/** The file that lets a queue outlive its process: what was added and removed, one record after the other. */
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
        val records = RecordFormat.decode(file)
        val events = LinkedHashMap<String, QueuedEvent>()
        var batch: JournalEntry.Batched? = null
        for (payload in records.payloads) {
            when (val entry = JournalEntry.decode(payload)) {
                is JournalEntry.Added -> events[entry.event.messageId] = entry.event
                is JournalEntry.Removed -> entry.messageIds.forEach(events::remove)
                is JournalEntry.Batched -> batch = entry
                null -> Unit
            }
        }
        return JournalContent(events.values.toList(), batch, records.damagedStretches)
    }

    /** @throws DiskFailure when the entries could not all be written */
    fun append(entries: List<JournalEntry>) {
        if (entries.isEmpty()) return
        val bytes = encode(entries)
        disk.append(FILE, bytes)
        fileBytes += bytes.size
    }

    /**
     * Writes the file anew, with these entries alone.
     *
     * @throws DiskFailure when it could not; the old file is still there
     */
    fun rewrite(entries: List<JournalEntry>) {
        if (entries.isEmpty()) return clear()
        val bytes = encode(entries)
        disk.replace(FILE, bytes)
        fileBytes = bytes.size.toLong()
    }

    /** @throws DiskFailure when the file is still there */
    fun clear() {
        disk.delete(FILE)
        fileBytes = 0
    }

    /** Whether most of the file is about events that are gone. */
    fun isMostlyDead(liveBytes: Long): Boolean = fileBytes - liveBytes > maxOf(liveBytes, WORTH_REWRITING)

    private fun encode(entries: List<JournalEntry>): ByteArray {
        val records = entries.map { RecordFormat.encode(it.encode()) }
        val bytes = ByteArray(records.sumOf { it.size })
        records.fold(0) { at, record ->
            record.copyInto(bytes, at)
            at + record.size
        }
        return bytes
    }

    private companion object {
        const val FILE = "queue"
        const val WORTH_REWRITING = 64L * 1024
    }
}

/** What a journal says. */
internal class JournalContent(
    /** In the order in which they came. */
    val events: List<QueuedEvent>,
    /** The last batch that was formed, if it may not have been answered. */
    val batch: JournalEntry.Batched?,
    /** How many times something unreadable was passed over. */
    val damagedStretches: Int,
)
