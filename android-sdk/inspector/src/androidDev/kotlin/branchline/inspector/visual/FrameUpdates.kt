package branchline.inspector.visual

import android.os.Handler
import android.view.Choreographer
import java.util.concurrent.atomic.AtomicBoolean

/** Runs [update] on the main thread at most once a frame, however often and from wherever it is asked for. */
internal class FrameUpdates(
    private val main: Handler,
    private val update: () -> Unit,
) {
    private val asked = AtomicBoolean()

    private val frame =
        Choreographer.FrameCallback {
            // Before the update, so that a change that comes during it asks for the next frame.
            asked.set(false)
            update()
        }

    fun ask() {
        if (asked.compareAndSet(false, true)) main.post { Choreographer.getInstance().postFrameCallback(frame) }
    }
}
