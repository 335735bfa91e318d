package branchline.inspector.visual

import android.annotation.TargetApi
import android.os.Build
import android.view.View
import android.window.OnBackInvokedCallback
import android.window.OnBackInvokedDispatcher

/**
 * Closes the panel by the back gesture in apps that take part in predictive back, where no back key comes any more. In others
 * the platform ignores it, and the key is what counts.
 */
@TargetApi(Build.VERSION_CODES.TIRAMISU)
internal class BackGesture private constructor(
    private val onBack: () -> Unit,
) {
    private val callback = OnBackInvokedCallback { onBack() }
    private var dispatcher: OnBackInvokedDispatcher? = null

    fun listenOn(view: View) {
        dispatcher = view.findOnBackInvokedDispatcher()
        dispatcher?.registerOnBackInvokedCallback(OnBackInvokedDispatcher.PRIORITY_OVERLAY, callback)
    }

    fun stop() {
        dispatcher?.unregisterOnBackInvokedCallback(callback)
        dispatcher = null
    }

    companion object {
        fun ifAny(onBack: () -> Unit): BackGesture? =
            if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU) BackGesture(onBack) else null
    }
}
