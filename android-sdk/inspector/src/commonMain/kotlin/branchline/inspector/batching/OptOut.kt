package branchline.inspector.batching

import branchline.inspector.platform.Level
import branchline.inspector.platform.Log
import branchline.inspector.queue.Disk
import branchline.inspector.queue.DiskFailure

/** Whether the user wants nothing to be reported: an empty file, which all processes of the app look for. Only the worker uses it. */
internal class OptOut(
    private val shared: Disk,
    private val log: Log,
) {
    /** What was asked for and could not be written yet. */
    private var unsaved: Boolean? = null

    /** What the disk says, or what could not be written to it yet. */
    fun isSet(): Boolean {
        save()
        return unsaved ?: (attempting { shared.read(FILE) != null } ?: false)
    }

    fun set(on: Boolean) {
        val isNews = unsaved != on
        unsaved = on
        save()
        if (unsaved != null && isNews) {
            log.line(Level.WARN, "The opt-out holds for now, but can't be saved for the next start; it is tried again. Free some space.")
        }
    }

    /** Tries again what failed. */
    fun save() {
        val on = unsaved ?: return
        val isSaved = attempting { if (on) shared.replace(FILE, ByteArray(0)) else shared.delete(FILE) } != null
        if (isSaved) unsaved = null
    }

    private inline fun <T : Any> attempting(use: () -> T): T? =
        try {
            use()
        } catch (_: DiskFailure) {
            null
        }

    private companion object {
        const val FILE = "opt-out"
    }
}
