package branchline.inspector.visual

import android.content.pm.ApplicationInfo
import android.graphics.Bitmap
import app.service.inspector.DebuggerMode
import branchline.inspector.visual.support.Scene
import branchline.inspector.visual.support.screenshot
import branchline.inspector.visual.support.visitShop
import branchline.inspector.visual.support.writeTo
import org.junit.After
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config
import org.robolectric.annotation.GraphicsMode
import java.io.File
import java.util.TimeZone

/**
 * Draws the inspector as a device does. With `-Dbranchline.screenshots=<folder>` the pictures are written there; those of the
 * documentation are made in `android-sdk/` by `mvn -pl dev -am test -Dtest=ScreenshotTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dbranchline.screenshots=$PWD/../docs/images`.
 */
@RunWith(RobolectricTestRunner::class)
@GraphicsMode(GraphicsMode.Mode.NATIVE)
@Config(sdk = [34], qualifiers = "w360dp-h720dp-xhdpi")
internal class ScreenshotTest {
    @get:Rule
    val scene = Scene().apply { reports.visitShop() }

    private val zone = TimeZone.getDefault()

    @Before
    fun everywhereTheSameTime() = TimeZone.setDefault(TimeZone.getTimeZone("UTC"))

    @After
    fun restoreZone() = TimeZone.setDefault(zone)

    @Test
    fun bubble() {
        val without = picture()
        scene.show()
        assertDrawn("bubble", without)
    }

    @Test
    fun bar() {
        val without = picture()
        scene.show(DebuggerMode.BAR)
        assertDrawn("bar", without)
    }

    @Test
    fun panelLight() = panel("panel-light", unfolded = "checkout_started")

    @Test
    @Config(qualifiers = "+night")
    fun panelDark() = panel("panel-dark", unfolded = "product_viewed")

    @Test
    fun largeFont() {
        RuntimeEnvironment.setFontScale(2f)
        scene.rotate()
        panel("large-font", unfolded = "checkout_started")
    }

    @Test
    fun search() {
        scene.show().open()
        scene.search.setText("price")
        scene.settle()
        panel("search", unfolded = "product_viewed")
    }

    @Test
    fun rightToLeft() {
        val app = RuntimeEnvironment.getApplication().applicationInfo
        app.flags = app.flags or ApplicationInfo.FLAG_SUPPORTS_RTL
        RuntimeEnvironment.setQualifiers("+ar-ldrtl")
        scene.rotate()
        panel("right-to-left", unfolded = "checkout_started")
    }

    @Test
    @Config(qualifiers = "w720dp-h360dp-land-xhdpi")
    fun landscape() = panel("landscape", unfolded = "checkout_started")

    private fun panel(
        name: String,
        unfolded: String,
    ) {
        val without = picture()
        if (scene.overlay == null) scene.show().open()
        scene.unfold(unfolded)
        assertDrawn(name, without)
    }

    /** The picture [name] differs from that [without] what it shows, and is no plain area. */
    private fun assertDrawn(
        name: String,
        without: Bitmap,
    ) {
        val drawn = picture()
        System.getProperty("branchline.screenshots")?.let { drawn.writeTo(File(it, "visual-inspector-$name.png")) }
        val before = pixels(without)
        val fresh = pixels(drawn).filterIndexed { index, color -> color != before[index] }
        assertTrue("$name changes ${fresh.size} pixels", fresh.size > LEAST_PIXELS)
        assertTrue("$name has ${fresh.distinct().size} colours", fresh.distinct().size > LEAST_COLORS)
    }

    private fun picture() = screenshot(scene.activity.window)

    private fun pixels(picture: Bitmap) =
        IntArray(picture.width * picture.height).also { picture.getPixels(it, 0, picture.width, 0, 0, picture.width, picture.height) }

    private companion object {
        const val LEAST_PIXELS = 5_000
        const val LEAST_COLORS = 50
    }
}
