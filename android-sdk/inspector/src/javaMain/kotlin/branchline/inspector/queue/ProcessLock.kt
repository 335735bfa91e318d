package branchline.inspector.queue

import java.io.File
import java.io.IOException
import java.io.RandomAccessFile
import java.nio.channels.OverlappingFileLockException

/**
 * A lock on a file that a process holds until it ends, however it ends.
 *
 * A lock of the system belongs to the process, and closing any handle of the file gives it up; so what this process holds is
 * remembered, and such a file is never opened a second time.
 */
internal class ProcessLock private constructor(
    private val path: String,
    private val handle: RandomAccessFile,
) {
    fun release() {
        synchronized(held) {
            handle.close()
            held.remove(path)
        }
    }

    internal companion object {
        private val held = HashSet<String>()

        /**
         * Null when another holds it, in this process or elsewhere.
         *
         * @throws IOException when the system has no lock for it
         */
        fun tryLock(file: File): ProcessLock? {
            val path = file.canonicalPath
            synchronized(held) {
                if (path in held) return null
                val handle = RandomAccessFile(file, "rw")
                if (!isLocked(handle)) {
                    handle.close()
                    return null
                }
                held.add(path)
                return ProcessLock(path, handle)
            }
        }

        private fun isLocked(handle: RandomAccessFile): Boolean =
            try {
                handle.channel.tryLock() != null
            } catch (_: OverlappingFileLockException) {
                false
            } catch (failure: IOException) {
                handle.close()
                throw failure
            }
    }
}
