package branchline.inspector.queue

import branchline.inspector.transport.Sender
import branchline.inspector.wire.InspectorContract
import java.io.File
import java.io.IOException
import java.math.BigInteger
import java.security.MessageDigest

/**
 * A queue home in a folder of the app: below it lies one folder for each key and environment, named by a hash so that the key can't
 * be read from it, and in that the places, which are numbered folders, each with a file that its owner keeps locked.
 */
internal class FolderQueueHome(
    filesFolder: File,
    private val sender: Sender,
) : QueueHome {
    /** Ours alone: what is old in it is deleted. */
    private val root = File(filesFolder, "branchline-inspector")

    /** Hashing takes time, so it is left to the worker. */
    private val folder by lazy { File(root, hashName(sender)) }

    override val shared: Disk = FolderDisk { folder }

    override fun claim(): QueuePlace {
        deleteForgotten()
        for (number in 0 until MAX_PLACES) claim(place(number))?.let { return it }
        throw DiskFailure("all $MAX_PLACES places for queues are taken")
    }

    override fun claimOrphans(): List<QueuePlace> {
        val claimed = ArrayList<QueuePlace>()
        for (number in 0 until MAX_PLACES) if (place(number).isDirectory) claimIfPossible(place(number))?.let(claimed::add)
        return claimed
    }

    private fun place(number: Int) = File(folder, number.toString())

    private fun claimIfPossible(place: File): QueuePlace? =
        try {
            claim(place)
        } catch (_: DiskFailure) {
            null
        }

    /** Null when another process, or another queue of this one, has it. */
    private fun claim(place: File): QueuePlace? =
        try {
            place.mkdirs()
            ProcessLocks.tryLock(File(place, LOCK))?.let { FolderPlace(FolderDisk { place }, it) }
        } catch (failure: IOException) {
            throw DiskFailure("a file could not be locked", failure)
        }

    /** Queues of keys that are used no more must not stay for ever. A key that is used touches its folder at each start. */
    private fun deleteForgotten() {
        folder.mkdirs()
        folder.setLastModified(System.currentTimeMillis())
        val oldest = folder.lastModified() - InspectorContract.QUEUE_MAX_AGE_DAYS * MILLIS_PER_DAY
        for (file in list(root)) if (file != folder && file.lastModified() < oldest) deleteUnlessInUse(file)
    }

    private fun deleteUnlessInUse(forgotten: File) {
        var isInUse = false
        val claimed = ArrayList<QueuePlace>()
        for (file in list(forgotten)) {
            if (!file.isDirectory) continue
            val place = claimIfPossible(file)
            if (place == null) isInUse = true else claimed += place
        }
        if (!isInUse) delete(forgotten)
        for (place in claimed) place.release()
    }

    private fun delete(file: File) {
        for (inside in list(file)) delete(inside)
        file.delete()
    }

    private fun list(folder: File): Array<File> = folder.listFiles() ?: emptyArray()

    private class FolderPlace(
        override val disk: Disk,
        private val lock: ProcessLocks.Held,
    ) : QueuePlace {
        override fun release() = lock.release()
    }

    private companion object {
        const val LOCK = "lock"
        const val MILLIS_PER_DAY = 24L * 60 * 60 * 1_000

        /** More processes than an app has. */
        const val MAX_PLACES = 32
        const val NAME_BYTES = 16

        fun hashName(sender: Sender): String {
            val text = "${sender.environment.wireName} ${sender.apiKey}"
            val hash = MessageDigest.getInstance("SHA-256").digest(text.toByteArray())
            return BigInteger(1, hash.copyOf(NAME_BYTES)).toString(HEX)
        }

        const val HEX = 16
    }
}
