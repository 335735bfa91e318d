package app.service.inspector

import android.app.Application
import android.content.pm.PackageInfo
import android.os.Bundle
import app.service.inspector.delivery.DeliveryProcess
import app.service.inspector.platform.AndroidApp
import org.junit.After
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import java.io.File

/** What is taken from the system about the app. */
@RunWith(RobolectricTestRunner::class)
internal class AppFactsTest {
    private val application: Application = RuntimeEnvironment.getApplication()
    private val endpoint: String? get() = DeliveryProcess.settings.endpoint

    @After
    fun reset() = StaticSettings.reset()

    private fun install(change: (PackageInfo) -> Unit) {
        @Suppress("DEPRECATION")
        val info = application.packageManager.getPackageInfo(application.packageName, 0)
        change(info)
        shadowOf(application.packageManager).installPackage(info)
    }

    private fun installWithEndpoint(url: String) =
        install { it.applicationInfo!!.metaData = Bundle().apply { putString("app.service.inspector.ENDPOINT", url) } }

    private fun inspector() = ServiceInspector("key", application, ServiceInspectorEnv.Prod)

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

    @Test
    fun `the endpoint is the manifest's until it is set, and again when that is taken back`() {
        installWithEndpoint("https://manifest.example.com")
        inspector()
        assertEquals("https://manifest.example.com", endpoint)
        ServiceInspector.setEndpoint("https://set.example.com")
        assertEquals("https://set.example.com", endpoint)
        ServiceInspector.setEndpoint(null)
        assertEquals("https://manifest.example.com", endpoint)
    }

    @Test
    fun `an endpoint that is set before wins over the manifest's too`() {
        ServiceInspector.setEndpoint("https://set.example.com")
        installWithEndpoint("https://manifest.example.com")
        inspector()
        assertEquals("https://set.example.com", endpoint)
    }

    @Test
    fun `unsent schemas are kept out of backups, in a folder that is not made on the app's thread`() {
        val folder = AndroidApp(application).folder
        assertEquals(File(application.applicationInfo.dataDir, "no_backup"), folder)
        assertFalse(folder.exists())
    }
}
