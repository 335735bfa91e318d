package branchline.inspector.queue

import branchline.inspector.platform.decodeUtf8
import branchline.inspector.platform.encodeUtf8

/** A folder of small files. Blocks; never used on the app's own threads. */
internal interface Disk {
    /**
     * The whole file, or null when there is none.
     *
     * @throws DiskFailure when it can't be read
     */
    fun read(name: String): ByteArray?

    /**
     * Writes at the end of the file, which is made if needed. When this returns, the bytes outlive the process, even one that is
     * killed, but perhaps not a loss of power: that would take a sync for each event, which costs more than it saves.
     *
     * @throws DiskFailure when not all could be written; a part may have been
     */
    fun append(
        name: String,
        bytes: ByteArray,
    )

    /**
     * Puts a file in place of another at one stroke: whoever looks finds either the old or the new, whole.
     *
     * @throws DiskFailure when it could not; the old file is still there
     */
    fun replace(
        name: String,
        bytes: ByteArray,
    )

    /**
     * Deletes the file, if there is one.
     *
     * @throws DiskFailure when it is still there
     */
    fun delete(name: String)
}

/** What a file says; empty where there is none that can be read. */
internal fun Disk.readText(name: String): String =
    try {
        decodeUtf8(read(name) ?: ByteArray(0))
    } catch (_: DiskFailure) {
        ""
    }

/** Has a file say this; one that says nothing is none. False when it could not. */
internal fun Disk.saveText(
    name: String,
    text: String,
): Boolean =
    try {
        if (text.isEmpty()) delete(name) else replace(name, encodeUtf8(text))
        true
    } catch (_: DiskFailure) {
        false
    }

/** The disk is full, read-only, or away. */
internal class DiskFailure(
    message: String,
    cause: Throwable? = null,
) : Exception(message, cause)
