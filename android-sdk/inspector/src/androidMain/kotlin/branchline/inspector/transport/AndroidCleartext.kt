package branchline.inspector.transport

import android.annotation.TargetApi
import android.os.Build
import android.security.NetworkSecurityPolicy

/** Before Android 7 nothing is refused by default, or by host. */
internal actual fun refusesCleartext(host: String): Boolean = Build.VERSION.SDK_INT >= Build.VERSION_CODES.N && isRefused(host)

@TargetApi(Build.VERSION_CODES.N)
private fun isRefused(host: String) = !NetworkSecurityPolicy.getInstance().isCleartextTrafficPermitted(host)
