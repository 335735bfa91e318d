package branchline.inspector.visual

import android.os.Handler
import android.os.Looper
import org.junit.Assert.assertEquals
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import java.time.Duration
import kotlin.concurrent.thread

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
internal class FrameUpdatesTest {
    private var updates = 0
    private val frames = FrameUpdates(Handler(Looper.getMainLooper())) { updates++ }

    @Test
    fun whateverIsAskedWithinAFrameIsOneUpdate() {
        List(4) { thread { repeat(2_500) { frames.ask() } } }.forEach { it.join() }
        assertEquals("not on the asking thread", 0, updates)
        idle()
        assertEquals(1, updates)
    }

    @Test
    fun whatIsAskedLaterIsUpdatedLater() {
        repeat(3) {
            frames.ask()
            idle()
        }
        assertEquals(3, updates)
    }

    @Test
    fun whatIsAskedDuringAnUpdateIsNotLost() {
        lateinit var asking: FrameUpdates
        asking = FrameUpdates(Handler(Looper.getMainLooper())) { if (++updates == 1) asking.ask() }
        asking.ask()
        idle()
        assertEquals(2, updates)
    }

    private fun idle() = shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(100))
}
