package branchline.inspector.support

import branchline.inspector.queue.Disk
import branchline.inspector.queue.DiskFailure
import branchline.inspector.queue.QueueHome
import branchline.inspector.queue.QueuePlace

/** What is wrong with a disk just now. */
internal class DiskFaults {
    /** How many more bytes can be written; the write that goes beyond is cut there. */
    var bytesLeft: Long = Long.MAX_VALUE
    var unreadable: Boolean = false

    /** The names of the files that were read. */
    val read = ArrayList<String>()
}

/** A disk that can become full, in the middle of a write. */
internal class FaultyDisk(
    private val disk: Disk,
    private val faults: DiskFaults,
) : Disk {
    override fun read(name: String): ByteArray? {
        faults.read += name
        if (faults.unreadable) throw DiskFailure("unreadable")
        return disk.read(name)
    }

    override fun append(
        name: String,
        bytes: ByteArray,
    ) {
        val room = minOf(faults.bytesLeft, bytes.size.toLong()).toInt()
        faults.bytesLeft -= room
        if (room > 0) disk.append(name, bytes.copyOf(room))
        if (room < bytes.size) throw DiskFailure("no space left")
    }

    override fun replace(
        name: String,
        bytes: ByteArray,
    ) {
        if (faults.bytesLeft < bytes.size) throw DiskFailure("no space left")
        disk.replace(name, bytes)
    }

    override fun delete(name: String) = disk.delete(name)
}

/** A home on faulty disks. */
internal class FaultyHome(
    private val home: QueueHome,
    private val faults: DiskFaults,
) : QueueHome {
    override val shared: Disk get() = FaultyDisk(home.shared, faults)

    override fun claim(): QueuePlace = FaultyPlace(home.claim(), faults)

    override fun claimOrphans(): List<QueuePlace> = home.claimOrphans().map { FaultyPlace(it, faults) }

    private class FaultyPlace(
        private val place: QueuePlace,
        faults: DiskFaults,
    ) : QueuePlace {
        override val disk: Disk = FaultyDisk(place.disk, faults)

        override fun release() = place.release()
    }
}
