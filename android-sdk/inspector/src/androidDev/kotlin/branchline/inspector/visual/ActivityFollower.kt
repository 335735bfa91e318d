package branchline.inspector.visual

import android.app.Activity
import android.app.Application
import android.os.Bundle
import java.lang.ref.WeakReference

/** Tells which Activity the user has before them. Main thread only; keeps no Activity alive. */
internal class ActivityFollower(
    private val application: Application,
    private val onResumed: (Activity) -> Unit,
    private val onDestroyed: (Activity) -> Unit,
) : Application.ActivityLifecycleCallbacks {
    private var following = false
    private var inFront = WeakReference<Activity>(null)

    /** The Activity that resumed last and is not paused since, if it resumed while this followed. */
    val resumed: Activity? get() = inFront.get()

    fun start() {
        if (following) return
        following = true
        application.registerActivityLifecycleCallbacks(this)
    }

    fun stop() {
        following = false
        inFront.clear()
        application.unregisterActivityLifecycleCallbacks(this)
    }

    override fun onActivityResumed(activity: Activity) {
        inFront = WeakReference(activity)
        onResumed(activity)
    }

    override fun onActivityPaused(activity: Activity) {
        if (inFront.get() === activity) inFront.clear()
    }

    override fun onActivityDestroyed(activity: Activity): Unit = onDestroyed(activity)

    override fun onActivityCreated(
        activity: Activity,
        savedInstanceState: Bundle?,
    ): Unit = Unit

    override fun onActivityStarted(activity: Activity): Unit = Unit

    override fun onActivityStopped(activity: Activity): Unit = Unit

    override fun onActivitySaveInstanceState(
        activity: Activity,
        outState: Bundle,
    ): Unit = Unit
}
