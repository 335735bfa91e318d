package branchline.inspector.queue

import branchline.inspector.platform.digest
import branchline.inspector.platform.encodeUtf8
import branchline.inspector.wire.JsonWriter

/** An event as it waits to be sent: the JSON that the batch will hold, so that what is kept is what leaves, and nothing else. */
internal class QueuedEvent(
    val messageId: String,
    /** Milliseconds since 1970, UTC, by the clock of the device. */
    val observedAtMillis: Long,
    /** The version of the app that tracked it, which after an update is not the one that sends it. */
    val appVersion: String,
    /** An `EventReport` of the contract, whose last field is the schema. */
    val json: String,
) {
    /** How many bytes the JSON has in UTF-8. */
    val bytes: Int = encodeUtf8(json).size

    /** When it came to the queue, by the elapsed clock. */
    var since: Long = 0

    /** When it is too old to be sent, by the elapsed clock. */
    var expiresAt: Long = 0

    /** A quote in the name of the event is escaped, so this is found in one place only; and so is what follows a name. */
    private val schemaAt: Int get() = json.indexOf(SCHEMA)

    /**
     * The id of its shape. Of names with characters that the library escapes otherwise than the contract does for ids it is another, which
     * the service does not know; and of schemas that were queued unsorted.
     */
    val shapeId: String
        get() {
            val name = json.substring(json.indexOf(NAME) + NAME.length, json.indexOf(AFTER_NAME))
            val schema = JsonWriter()
            schema.value(json.substring(schemaAt + SCHEMA.length, json.length - 1))
            return digest("[$name,$schema]")
        }

    /** The same with the id instead of the schema. */
    fun withShapeId(): String = json.substring(0, schemaAt) + ",\"shapeId\":\"" + shapeId + "\"}"

    internal companion object {
        /** What stands before the schema. */
        const val SCHEMA: String = ",\"schema\":"
        private const val NAME = "\"eventName\":"
        private const val AFTER_NAME = ",\"observedAt\":"
    }
}
