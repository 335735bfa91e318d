package branchline.inspector.platform

import android.app.Activity
import android.app.Application.ActivityLifecycleCallbacks
import android.os.Bundle

/**
 * Tells when the app has left the foreground: its last started Activity has stopped, and not because it is rotated. Register it with
 * `Application.registerActivityLifecycleCallbacks`. Only the main thread uses it; it keeps no Activity.
 */
internal abstract class BackgroundWatch : ActivityLifecycleCallbacks {
    private var started = 0

    /** The app has left the foreground. */
    protected abstract fun onBackground()

    override fun onActivityStarted(activity: Activity) {
        started++
    }

    /** Activities that were started before the watch was registered are not counted, so the count may not fall below nothing. */
    override fun onActivityStopped(activity: Activity) {
        started = maxOf(0, started - 1)
        if (started == 0 && !activity.isChangingConfigurations) onBackground()
    }

    override fun onActivityCreated(
        activity: Activity,
        state: Bundle?,
    ) = Unit

    override fun onActivityResumed(activity: Activity) = Unit

    override fun onActivityPaused(activity: Activity) = Unit

    override fun onActivitySaveInstanceState(
        activity: Activity,
        state: Bundle,
    ) = Unit

    override fun onActivityDestroyed(activity: Activity) = Unit
}
