package branchline.inspector.batching

import branchline.inspector.platform.Level
import branchline.inspector.platform.Log
import branchline.inspector.queue.Disk
import branchline.inspector.queue.DiskFailure
import branchline.inspector.queue.saveText

/** Whether the user wants nothing to be reported: a file, which all processes of the app look for. Only the worker uses it. */
internal class OptOut(
    private val shared: Disk,
    private val log: Log,
) {
    private var asked = false

    /** Whether what was [asked] for could not be written yet. */
    private var isUnsaved = false

    /** What the disk says, or what could not be written to it yet. */
    fun isSet(): Boolean {
        save()
        return if (isUnsaved) asked else isOnDisk()
    }

    /** Also a file that says nothing counts: it may have lost what it said with the power. */
    private fun isOnDisk(): Boolean =
        try {
            shared.read(FILE) != null
        } catch (_: DiskFailure) {
            false
        }

    fun set(on: Boolean) {
        val isNews = !isUnsaved || asked != on
        asked = on
        isUnsaved = true
        save()
        if (isUnsaved && isNews) {
            log.line(Level.WARN, "The opt-out holds for now, but can't be saved for the next start; it is tried again. Free some space.")
        }
    }

    /** Tries again what failed. */
    fun save() {
        if (isUnsaved) isUnsaved = !shared.saveText(FILE, if (asked) FILE else "")
    }

    private companion object {
        const val FILE = "opt-out"
    }
}
