package branchline.inspector.batching

import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.rules.TemporaryFolder
import java.io.File
import java.net.URLClassLoader
import java.util.Collections

/** What the thread of an app does when the app starts, as a JVM sees it that has just started. */
class StartTest {
    @get:Rule
    val folder = TemporaryFolder()

    private val ours = Thread.currentThread().contextClassLoader
    private val loader = RecordingLoader()

    @After
    fun restore() {
        Thread.currentThread().contextClassLoader = ours
    }

    @Test
    fun `the constructor loads at most 25 classes, and makes one thread`() {
        val application = make("JvmApplication", "com.example.shop", "Shop", "1.0.0", folder.root)
        val environments = loader.loadClass("app.service.inspector.ServiceInspectorEnv").enumConstants
        val environment = environments.first { it.toString() == "Prod" }
        loader.loaded.clear()
        val before = threads()
        make("ServiceInspector", "key-of-start", application, environment)
        val loaded = loader.loaded.toList()
        assertTrue(loaded.joinToString("\n"), loaded.isNotEmpty() && loaded.size <= 25)
        assertEquals(setOf("branchline-inspector-queue"), threads() - before)
    }

    private fun make(
        name: String,
        vararg parameters: Any,
    ): Any =
        loader
            .loadClass("app.service.inspector.$name")
            .constructors
            .first { it.parameterCount == parameters.size }
            .newInstance(*parameters)

    /** Of the libraries' loader alone: other tests have threads too. */
    private fun threads() =
        Thread
            .getAllStackTraces()
            .keys
            .filter { it.contextClassLoader === loader }
            .map { it.name }
            .toSet()

    /** Loads the library, and Kotlin's, anew, and remembers what the test's thread asked for. */
    private inner class RecordingLoader : URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader()) {
        private val thread = Thread.currentThread().also { it.contextClassLoader = this }

        val loaded: MutableList<String> = Collections.synchronizedList(ArrayList())

        override fun findClass(name: String): Class<*> {
            if (Thread.currentThread() === thread) loaded += name
            return super.findClass(name)
        }
    }

    private companion object {
        fun classPath() =
            System
                .getProperty("java.class.path")
                .split(File.pathSeparator)
                .map { File(it).toURI().toURL() }
                .toTypedArray()
    }
}
