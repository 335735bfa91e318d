package branchline.inspector.platform

import android.app.Activity
import android.app.Application
import android.content.res.Configuration
import org.junit.Assert.assertEquals
import org.junit.Before
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.Robolectric
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment

@RunWith(RobolectricTestRunner::class)
class BackgroundWatchTest {
    private var left = 0

    @Before
    fun register() = watch(RuntimeEnvironment.getApplication())

    @Test
    fun `the last Activity that stops leaves the foreground`() {
        val first = Robolectric.buildActivity(Activity::class.java).setup()
        val second = Robolectric.buildActivity(Activity::class.java).setup()
        first.pause().stop()
        assertEquals(0, left)
        second.pause().stop()
        assertEquals(1, left)
    }

    @Test
    fun `each time that it is left counts`() {
        val activity = Robolectric.buildActivity(Activity::class.java).setup()
        repeat(3) {
            activity
                .pause()
                .stop()
                .restart()
                .resume()
        }
        assertEquals(3, left)
    }

    @Test
    fun `a rotation does not leave it`() {
        val activity = Robolectric.buildActivity(Activity::class.java).setup()
        repeat(4) { turn ->
            val turned = Configuration(activity.get().resources.configuration)
            turned.orientation = if (turn % 2 == 0) Configuration.ORIENTATION_LANDSCAPE else Configuration.ORIENTATION_PORTRAIT
            activity.configurationChange(turned)
        }
        assertEquals(0, left)
        activity.pause().stop()
        assertEquals(1, left)
    }

    @Test
    fun `an Activity that was there before the watch is not counted twice`() {
        val application = RuntimeEnvironment.getApplication()
        val early = Robolectric.buildActivity(Activity::class.java).setup()
        var late = 0
        application.registerActivityLifecycleCallbacks(Watch { late++ })
        early.pause().stop()
        assertEquals(1, late)
        early
            .restart()
            .resume()
            .pause()
            .stop()
        assertEquals(2, late)
    }

    private fun watch(application: Application) = application.registerActivityLifecycleCallbacks(Watch { left++ })

    private class Watch(
        private val note: () -> Unit,
    ) : BackgroundWatch() {
        override fun onBackground() = note()
    }
}
