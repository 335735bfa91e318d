package app.service.inspector.delivery

import app.service.inspector.platform.Level
import app.service.inspector.platform.Log

/** Whether the user wants nothing to be reported: an empty file, which all processes of the app look for. Only the worker uses it. */
internal class OptOut(
    private val shared: Disk,
    private val log: Log,
) {
    /** What was asked for and could not be written yet. */
    private var unsaved: Boolean? = null

    fun isSet(): Boolean {
        unsaved?.let(::set)
        return unsaved ?: attempting { shared.read(FILE) != null } ?: false
    }

    fun set(on: Boolean) {
        val isNews = unsaved != on
        unsaved = on
        val saved = attempting { if (on) shared.replace(FILE, ByteArray(0)) else shared.delete(FILE) } != null
        if (saved) {
            unsaved = null
        } else if (isNews) {
            log.line(Level.WARN, "The opt-out holds for now, but can't be saved for the next start; it is tried again. Free some space.")
        }
    }

    private fun <T : Any> attempting(use: () -> T): T? =
        try {
            use()
        } catch (_: DiskFailure) {
            null
        }

    private companion object {
        const val FILE = "opt-out"
    }
}
