package branchline.inspector.platform

import android.os.SystemClock

/** The clocks of Android; the elapsed one goes on while the device sleeps. */
internal object AndroidClock : Clock {
    override fun wallMillis(): Long = System.currentTimeMillis()

    override fun elapsedMillis(): Long = SystemClock.elapsedRealtime()
}
