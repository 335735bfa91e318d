package app.service.inspector.delivery

/** One thing that happened to a queue, as a record of its journal. */
internal sealed class JournalEntry {
    /** The payload of the record: a letter for the kind, then the fields, each on its line; JSON may hold further ones. */
    abstract fun encode(): String

    class Added(
        val event: QueuedEvent,
    ) : JournalEntry() {
        override fun encode(): String =
            listOf(ADDED, event.messageId, event.observedAtMillis.toString(), event.appVersion, event.json).joinToString("\n")
    }

    class Removed(
        val messageIds: List<String>,
    ) : JournalEntry() {
        override fun encode(): String = (listOf(REMOVED) + messageIds).joinToString("\n")
    }

    /** These events are being sent as a batch of this id; it keeps the id when it is sent again. */
    class Batched(
        val batchId: String,
        val messageIds: List<String>,
    ) : JournalEntry() {
        override fun encode(): String = (listOf(BATCHED, batchId) + messageIds).joinToString("\n")
    }

    internal companion object {
        private const val ADDED = "E"
        private const val REMOVED = "R"
        private const val BATCHED = "B"
        private const val ADDED_FIELDS = 5

        /** Null for what this version does not know. */
        fun decode(payload: String): JournalEntry? {
            val lines = payload.split('\n')
            return when (lines[0]) {
                ADDED -> added(payload.split("\n", limit = ADDED_FIELDS))
                REMOVED -> Removed(lines.drop(1))
                BATCHED -> lines.getOrNull(1)?.let { Batched(it, lines.drop(2)) }
                else -> null
            }
        }

        private fun added(fields: List<String>): Added? {
            if (fields.size != ADDED_FIELDS) return null
            val (_, messageId, observedAt, appVersion, json) = fields
            return observedAt.toLongOrNull()?.let { Added(QueuedEvent(messageId, it, appVersion, json)) }
        }
    }
}
