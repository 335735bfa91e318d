package app.service.inspector

import android.app.Activity
import android.app.Application
import branchline.inspector.StaticSettings
import branchline.inspector.support.IoWatch
import org.json.JSONObject
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Assume.assumeTrue
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import java.io.File
import java.net.ServerSocket
import java.net.Socket

/** What StrictMode would see on a device: the app's thread touches neither the disk nor the network. */
@RunWith(RobolectricTestRunner::class)
internal class CallerThreadTest {
    private val application: Application = RuntimeEnvironment.getApplication()
    private val watch = IoWatch()
    private val server = ServerSocket(0)

    @Before
    fun start() {
        val isWatching = watch.start()
        assertTrue(IoWatch.WHY_NOT, isWatching || System.getenv("CI") == null)
        assumeTrue(IoWatch.WHY_NOT, isWatching)
    }

    @After
    fun reset() {
        watch.stop()
        server.close()
        StaticSettings.reset()
    }

    @Test(timeout = 300_000)
    fun `the constructor and all calls leave the disk and the network to other threads`() {
        val activity = Robolectric.buildActivity(Activity::class.java).setup().get()
        lateinit var inspector: ServiceInspector
        val whileTracking =
            watch.touchedBy {
                ServiceInspector.setEndpoint("http://127.0.0.1:${server.localPort}")
                inspector = ServiceInspector("key-of-caller", application, ServiceInspectorEnv.Dev, activity)
                inspector.trackSchemaFromEvent("Viewed", mapOf("a" to 1, "nested" to mapOf("list" to listOf("x", null))))
                inspector.trackSchemaFromEvent("Viewed", JSONObject().put("a", 1))
                inspector.trackSchema("Viewed", inspector.extractSchema(Shape("x")))
            }
        // It is other threads that write and send.
        server.accept().close()
        assertTrue(watch.others.any { it.startsWith("write") } && watch.others.any { it.startsWith("connect") })
        val whileSetting =
            watch.touchedBy {
                ServiceInspector.setBatchSize(2)
                ServiceInspector.setBatchFlushSeconds(1)
                ServiceInspector.enableLogging(true)
                inspector.setOptOut(true)
                inspector.isOptedOut()
                inspector.setOptOut(false)
            }
        assertEquals(emptyList<String>(), whileTracking + whileSetting)
    }

    @Test
    fun `what an app's thread does with files and connections is seen`() {
        val file = File.createTempFile("seen", "")
        val touched =
            watch.touchedBy {
                file.exists()
                file.writeText("x")
                file.readText()
                file.delete()
                Socket("127.0.0.1", server.localPort).close()
            }
        val all = listOf("read $file", "write $file", "delete $file", "connect 127.0.0.1:${server.localPort}")
        assertEquals(emptyList<String>(), all - touched.toSet())
    }

    private class Shape(
        @Suppress("unused") val name: String,
    )
}
