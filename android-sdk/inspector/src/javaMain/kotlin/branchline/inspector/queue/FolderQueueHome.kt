package branchline.inspector.queue

import branchline.inspector.platform.encodeUtf8
import branchline.inspector.transport.Sender
import branchline.inspector.wire.InspectorContract
import java.io.File
import java.io.IOException
import java.math.BigInteger
import java.security.MessageDigest
import java.util.Arrays

/**
 * A queue home in a folder of the app: below it lies one folder for each key and environment, named by a hash so that the key can't
 * be read from it, and in that the places, which are numbered folders, each with a file that its owner keeps locked. Made by the worker.
 */
internal class FolderQueueHome(
    filesFolder: File,
    sender: Sender,
) : QueueHome {
    /** Ours alone: what is old in it is deleted. */
    private val root = File(filesFolder, "branchline-inspector")
    private val folder = File(root, hashName(sender))

    override val shared: Disk = FolderDisk(folder)

    override fun claim(): QueuePlace {
        deleteForgotten()
        for (number in 0 until MAX_PLACES) {
            val place = File(folder, "$number")
            place.mkdirs()
            try {
                val lock = ProcessLock.tryLock(File(place, LOCK))
                if (lock != null) return FolderPlace(place, lock)
            } catch (failure: IOException) {
                throw DiskFailure("a file could not be locked", failure)
            }
        }
        throw DiskFailure("all $MAX_PLACES places for queues are taken")
    }

    override fun claimOrphans(): List<QueuePlace> {
        val claimed = ArrayList<QueuePlace>()
        claimIn(folder, claimed)
        return claimed
    }

    /** Claims the places in a folder that have no living owner; false when there are others. */
    private fun claimIn(
        parent: File,
        claimed: MutableList<QueuePlace>,
    ): Boolean {
        var areAll = true
        for (place in list(parent)) {
            if (!place.isDirectory) continue
            val lock =
                try {
                    ProcessLock.tryLock(File(place, LOCK))
                } catch (_: IOException) {
                    null
                }
            if (lock == null) areAll = false else claimed.add(FolderPlace(place, lock))
        }
        return areAll
    }

    /** Queues of keys that are used no more must not stay for ever. A key that is used touches its folder at each start. */
    private fun deleteForgotten() {
        folder.mkdirs()
        folder.setLastModified(System.currentTimeMillis())
        val oldest = folder.lastModified() - InspectorContract.QUEUE_MAX_AGE_DAYS * MILLIS_PER_DAY
        for (file in list(root)) {
            if (file == folder || file.lastModified() >= oldest) continue
            val claimed = ArrayList<QueuePlace>()
            if (claimIn(file, claimed)) delete(file)
            for (place in claimed) place.release()
        }
    }

    private fun delete(file: File) {
        for (inside in list(file)) delete(inside)
        file.delete()
    }

    /** In the order of their names, which the system does not promise. */
    private fun list(folder: File): Array<File> {
        val files = folder.listFiles() ?: return emptyArray()
        Arrays.sort(files)
        return files
    }

    private class FolderPlace(
        folder: File,
        private val lock: ProcessLock,
    ) : QueuePlace {
        override val disk: Disk = FolderDisk(folder)

        override fun release() = lock.release()
    }

    private companion object {
        const val LOCK = "lock"
        const val MILLIS_PER_DAY = 24L * 60 * 60 * 1_000

        /** More processes than an app has. */
        const val MAX_PLACES = 32
        const val NAME_BYTES = 16
        const val HEX = 16

        fun hashName(sender: Sender): String {
            val text = encodeUtf8(sender.environment.wireName + " " + sender.apiKey)
            val hash = MessageDigest.getInstance("SHA-256").digest(text)
            return BigInteger(1, hash.copyOf(NAME_BYTES)).toString(HEX)
        }
    }
}
