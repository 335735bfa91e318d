package branchline.inspector.queue

import java.io.File
import java.io.FileNotFoundException
import java.io.FileOutputStream
import java.io.IOException
import java.io.RandomAccessFile

/** A disk in a folder, which is made when first written to. */
internal class FolderDisk(
    private val folder: File,
) : Disk {
    override fun read(name: String): ByteArray? {
        val file = File(folder, name)
        if (!file.exists()) return null
        try {
            val opened = RandomAccessFile(file, "r")
            try {
                val bytes = ByteArray(opened.length().toInt())
                opened.readFully(bytes)
                return bytes
            } finally {
                opened.close()
            }
        } catch (failure: IOException) {
            throw failureOf(failure)
        }
    }

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
    ) {
        folder.mkdirs()
        try {
            val opened = FileOutputStream(file, append)
            try {
                opened.write(bytes)
            } finally {
                opened.close()
            }
        } catch (failure: IOException) {
            throw failureOf(failure)
        }
    }

    /** The message of the system may name a path of the app, which is nobody else's business, so only its kind is kept. */
    private fun failureOf(failure: IOException) =
        DiskFailure(if (failure is FileNotFoundException) "a file could not be opened" else "a file could not be read or written", failure)
}
