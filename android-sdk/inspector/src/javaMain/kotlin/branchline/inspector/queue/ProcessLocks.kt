package branchline.inspector.queue

import java.io.File
import java.io.IOException
import java.io.RandomAccessFile
import java.nio.channels.OverlappingFileLockException

/**
 * Locks on files that a process holds until it ends, however it ends.
 *
 * A lock of the system belongs to the process, and closing any handle of the file gives it up; so what this process holds is
 * remembered, and such a file is never opened a second time.
 */
internal object ProcessLocks {
    private val held = HashSet<String>()

    /** Null when another holds it, in this process or elsewhere. */
    fun tryLock(file: File): Held? {
        val path = file.canonicalPath
        synchronized(held) {
            if (!held.add(path)) return null
            val lock = lockOfSystem(file)
            if (lock == null) held.remove(path)
            return lock?.let { Held(path, it) }
        }
    }

    private fun lockOfSystem(file: File): RandomAccessFile? {
        val handle = RandomAccessFile(file, "rw")
        val isLocked =
            try {
                handle.channel.tryLock() != null
            } catch (_: OverlappingFileLockException) {
                false
            } catch (failure: IOException) {
                handle.close()
                throw failure
            }
        if (!isLocked) handle.close()
        return handle.takeIf { isLocked }
    }

    /** A lock that is held. */
    class Held(
        private val path: String,
        private val handle: RandomAccessFile,
    ) {
        fun release() {
            synchronized(held) {
                handle.close()
                held.remove(path)
            }
        }
    }
}
