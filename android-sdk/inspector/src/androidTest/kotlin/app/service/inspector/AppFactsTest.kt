package app.service.inspector

import android.app.Application
import android.content.Context
import android.content.pm.PackageInfo
import android.content.pm.PackageManager
import android.os.Bundle
import branchline.inspector.StaticSettings
import branchline.inspector.platform.AndroidApp
import branchline.inspector.support.RefusingServer
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import java.io.File
import java.util.concurrent.CopyOnWriteArrayList

/** What is taken from the system about the app. */
@RunWith(RobolectricTestRunner::class)
internal class AppFactsTest {
    private val application: Application = RuntimeEnvironment.getApplication()
    private val ofManifest = RefusingServer()
    private val other = RefusingServer()

    @After
    fun reset() {
        StaticSettings.reset()
        listOf(ofManifest, other).forEach { it.close() }
    }

    private fun install(change: (PackageInfo) -> Unit) {
        @Suppress("DEPRECATION")
        val info = application.packageManager.getPackageInfo(application.packageName, 0)
        change(info)
        shadowOf(application.packageManager).installPackage(info)
    }

    private fun installWithEndpoint(url: String) =
        install { it.applicationInfo!!.metaData = Bundle().apply { putString("app.service.inspector.ENDPOINT", url) } }

    private fun inspector() = ServiceInspector("key", application, ServiceInspectorEnv.Dev)

    @Test
    fun `an app has an id, a name and a version`() {
        install { it.versionName = "1.4.0" }
        application.applicationInfo.nonLocalizedLabel = "Shop"
        val app = AndroidApp(application).identity
        assertEquals(listOf(application.packageName, "Shop", "1.4.0"), listOf(app.id, app.name, app.version))
    }

    @Test
    fun `an app may have no version name`() {
        install { it.versionName = null }
        assertEquals("", AndroidApp(application).identity.version)
        inspector().trackSchemaFromEvent("Viewed", mapOf("a" to 1))
    }

    @Test(timeout = 300_000)
    fun `the endpoint is the manifest's until it is set, and again when that is taken back`() {
        installWithEndpoint(ofManifest.url)
        inspector().trackSchemaFromEvent("Viewed", mapOf("a" to 1))
        ofManifest.awaitRequest()
        ServiceInspector.setEndpoint(other.url)
        other.awaitRequest()
        ServiceInspector.setEndpoint(null)
        ofManifest.awaitRequest()
    }

    @Test(timeout = 300_000)
    fun `an endpoint that is set before wins over the manifest's too`() {
        ServiceInspector.setEndpoint(other.url)
        installWithEndpoint(ofManifest.url)
        inspector().trackSchemaFromEvent("Viewed", mapOf("a" to 1))
        other.awaitRequest()
        assertFalse(ofManifest.hasRequest())
    }

    @Test(timeout = 300_000)
    fun `the system is asked on another thread than the app's`() {
        installWithEndpoint(ofManifest.url)
        val asked = AskedApplication(application)
        ServiceInspector("key", asked, ServiceInspectorEnv.Dev).trackSchemaFromEvent("Viewed", mapOf("a" to 1))
        ofManifest.awaitRequest()
        assertEquals(setOf("branchline-inspector-queue"), asked.askers.map { it.name }.toSet())
    }

    @Test
    fun `unsent schemas are kept out of backups, in a folder that is not made on the app's thread`() {
        val folder = AndroidApp(application).folder
        assertEquals(File(application.applicationInfo.dataDir, "no_backup"), folder)
        assertFalse(folder.exists())
    }

    /** Remembers who asked the system about it. */
    private class AskedApplication(
        base: Context,
    ) : Application() {
        val askers = CopyOnWriteArrayList<Thread>()

        init {
            attachBaseContext(base)
        }

        override fun getPackageManager(): PackageManager = super.getPackageManager().also { askers += Thread.currentThread() }
    }
}
