@file:Suppress("DEPRECATION")

package branchline.inspector.support

import java.io.File
import java.util.concurrent.CopyOnWriteArrayList

/**
 * Sees on which thread files and connections are used. Robolectric's StrictMode sees none, since its disk and network are the JVM's;
 * but the JVM asks a security manager before each. Where a class comes from is not counted, as StrictMode does not count it either.
 */
internal class IoWatch {
    /** What other threads than the watched one have done. */
    val others: List<String> get() = elsewhere

    private val here = ArrayList<String>()
    private val elsewhere = CopyOnWriteArrayList<String>()

    @Volatile
    private var watched: Thread? = null

    /** False where the JVM allows no security manager, as from JDK 24 on. */
    fun start(): Boolean =
        try {
            val manager = Manager()
            // Loads what it needs itself, so that it does not ask itself while it answers.
            touchedBy { manager.checkRead("") }
            System.setSecurityManager(manager)
            true
        } catch (_: UnsupportedOperationException) {
            false
        }

    fun stop() = System.setSecurityManager(null)

    /** What this thread touches while it works, in order. */
    fun touchedBy(work: () -> Unit): List<String> {
        here.clear()
        watched = Thread.currentThread()
        try {
            work()
        } finally {
            watched = null
        }
        return here.toList()
    }

    private inner class Manager : SecurityManager() {
        override fun checkPermission(permission: java.security.Permission) = Unit

        override fun checkRead(file: String) = note("read ${File(file).path}")

        override fun checkWrite(file: String) = note("write $file")

        override fun checkDelete(file: String) = note("delete $file")

        override fun checkConnect(
            host: String,
            port: Int,
        ) = note("connect $host:$port")

        private fun note(what: String) {
            if (isClassLoading()) return
            if (Thread.currentThread() === watched) here += what else elsewhere += what
        }

        private fun isClassLoading() = classContext.any { ClassLoader::class.java.isAssignableFrom(it) }
    }

    internal companion object {
        const val WHY_NOT = "skipped: this JDK allows no security manager, which sees files and connections used; take JDK 17 to 23."
    }
}
