package branchline.inspector.platform

import android.app.Application
import android.content.pm.ApplicationInfo
import android.content.pm.PackageManager
import branchline.inspector.transport.HostApp
import branchline.inspector.wire.BatchApp
import branchline.inspector.wire.InspectorContract
import java.io.File

/** What the system knows about an app; its [endpoint] and [identity] take time. Whatever the system does not say is empty, or absent. */
internal class AndroidApp(
    private val application: Application,
) : HostApp {
    val isDebuggable: Boolean
        get() = (attempting { application.applicationInfo.flags } ?: 0) and ApplicationInfo.FLAG_DEBUGGABLE != 0

    /** Kept out of backups: what is unsent on one device must not be sent by another. Not asked of the context, which would make it here. */
    val folder: File get() = File(application.applicationInfo.dataDir, "no_backup")

    /** The address in the manifest's meta-data, or that of the contract; null where there is none. */
    override val endpoint: String?
        @Suppress("DEPRECATION")
        get() =
            attempting {
                application.packageManager
                    .getApplicationInfo(application.packageName, PackageManager.GET_META_DATA)
                    .metaData
                    ?.getString(InspectorContract.ENDPOINT_META_DATA)
            } ?: InspectorContract.DEFAULT_ENDPOINT

    override val identity: BatchApp
        get() =
            BatchApp(
                id = attempting { application.packageName }.orEmpty(),
                name = attempting { application.applicationInfo.loadLabel(application.packageManager).toString() }.orEmpty(),
                version = version.orEmpty(),
            )

    /** An app may have no versionName. */
    @Suppress("DEPRECATION")
    private val version: String?
        get() = attempting { application.packageManager.getPackageInfo(application.packageName, 0).versionName }

    /** The system may be restarting, and an Application may be a test's. */
    @Suppress("TooGenericExceptionCaught", "SwallowedException")
    private inline fun <T> attempting(ask: () -> T?): T? =
        try {
            ask()
        } catch (failure: Exception) {
            null
        }
}
