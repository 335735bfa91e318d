package branchline.inspector.queue

import java.io.File
import java.io.FileNotFoundException
import java.io.FileOutputStream
import java.io.IOException
import java.io.RandomAccessFile

/** A disk in a folder, which is made when first written to. Where it lies is asked when it is first used. */
internal class FolderDisk(
    folder: () -> File,
) : Disk {
    private val folder by lazy(folder)

    override fun read(name: String): ByteArray? =
        orFailure {
            val file = File(folder, name)
            if (file.exists()) RandomAccessFile(file, "r").use(::readWhole) else null
        }

    private fun readWhole(file: RandomAccessFile) = ByteArray(file.length().toInt()).also(file::readFully)

    override fun append(
        name: String,
        bytes: ByteArray,
    ) = write(File(folder, name), bytes, append = true)

    override fun replace(
        name: String,
        bytes: ByteArray,
    ) {
        val temporary = File(folder, "$name.new")
        write(temporary, bytes, append = false)
        if (!temporary.renameTo(File(folder, name))) throw DiskFailure("a file could not be renamed")
    }

    override fun delete(name: String) {
        val file = File(folder, name)
        if (!file.delete() && file.exists()) throw DiskFailure("a file could not be deleted")
    }

    private fun write(
        file: File,
        bytes: ByteArray,
        append: Boolean,
    ) = orFailure {
        folder.mkdirs()
        FileOutputStream(file, append).use { it.write(bytes) }
    }

    /** The message of the system may name a path of the app, which is nobody else's business, so only its kind is kept. */
    private inline fun <T> orFailure(use: () -> T): T =
        try {
            use()
        } catch (failure: FileNotFoundException) {
            throw DiskFailure("a file could not be opened", failure)
        } catch (failure: IOException) {
            throw DiskFailure("a file could not be read or written", failure)
        } catch (failure: SecurityException) {
            throw DiskFailure("access is not allowed", failure)
        }
}
