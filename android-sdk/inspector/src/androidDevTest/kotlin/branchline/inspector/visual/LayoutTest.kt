package branchline.inspector.visual

import android.content.pm.ApplicationInfo
import android.view.View
import android.widget.EditText
import android.widget.TextView
import app.service.inspector.DebuggerMode
import branchline.inspector.visual.support.Scene
import branchline.inspector.visual.support.all
import branchline.inspector.visual.support.showSystemBars
import branchline.inspector.visual.support.visitShop
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Rule
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Config
import org.robolectric.annotation.GraphicsMode
import kotlin.math.ceil

/** With the real text engine: what is written is what can be read. */
@RunWith(RobolectricTestRunner::class)
@GraphicsMode(GraphicsMode.Mode.NATIVE)
@Config(sdk = [34], qualifiers = "w360dp-h720dp-xhdpi")
internal class LayoutTest {
    @get:Rule
    val scene = Scene().apply { reports.visitShop() }

    @Test
    fun nothingIsCutOffAtAnyFontSizeAndWidth() {
        for (screen in listOf("w320dp-h640dp", "w360dp-h720dp", "w720dp-h360dp", "w900dp-h1200dp")) {
            for (scale in listOf(0.85f, 1f, 1.3f, 2f)) readable(screen, scale)
        }
    }

    private fun readable(
        screen: String,
        scale: Float,
    ) {
        RuntimeEnvironment.setQualifiers("+$screen")
        RuntimeEnvironment.setFontScale(scale)
        scene.rotate()
        scene.show(DebuggerMode.BAR)
        assertReadable("bar, $screen, $scale")
        scene.open().unfold("product_viewed").press(Texts.PAUSE)
        assertReadable("panel, $screen, $scale")
        assertTrue("room for events, $screen, $scale", scene.list.height >= 48 * 2)
        scene.press(Texts.RESUME).unfold("product_viewed").press(Texts.CLOSE)
    }

    private fun assertReadable(where: String) {
        val texts = checkNotNull(scene.overlay).all().filterIsInstance<TextView>().filter { it.isShown }
        assertTrue(where, texts.size > 1)
        for (view in texts) {
            val layout = view.layout
            val room = view.width - view.compoundPaddingLeft - view.compoundPaddingRight
            val text = "$where: “${view.text.ifEmpty { view.hint ?: "" }}”"
            for (line in 0 until layout.lineCount) {
                assertEquals("$text ends in an ellipsis", 0, layout.getEllipsisCount(line))
                assertTrue("$text is wider than its place", ceil(layout.getLineMax(line)).toInt() <= room)
            }
            assertTrue(
                "$text is higher than its place",
                layout.height + view.compoundPaddingTop + view.compoundPaddingBottom <= view.height,
            )
            if (view is EditText) assertTrue("$text is wider than its place", view.paint.measureText(view.hint.toString()) <= room)
        }
    }

    @Test
    fun fromRightToLeftEverythingIsMirrored() {
        mayMirror()
        RuntimeEnvironment.setQualifiers("+ar-ldrtl")
        scene.rotate().show()
        assertTrue("the bubble rests at the left", scene.described("Inspector").x < scene.decor.width / 2f)
        scene.open()
        val row = scene.view { it is EventRow } as EventRow
        assertTrue("the state is at the right", left(row.getChildAt(0)) > left(row.getChildAt(1)))
        assertTrue("closing is at the left", left(scene.described(Texts.CLOSE)) < left(scene.described(Texts.PAUSE)))
    }

    private fun mayMirror() {
        val app = RuntimeEnvironment.getApplication().applicationInfo
        app.flags = app.flags or ApplicationInfo.FLAG_SUPPORTS_RTL
    }

    @Test
    fun keepsClearOfTheSystemBars() {
        showSystemBars()
        scene.rotate().show(DebuggerMode.BAR)
        val bars = scene.decor.rootWindowInsets

        @Suppress("DEPRECATION")
        val bottom = bars.systemWindowInsetBottom
        assertTrue("there is a navigation bar", bottom > 0)
        val bar = scene.described("Inspector")
        assertTrue(top(bar) + bar.height <= scene.decor.height - bottom)

        scene.open()
        val footer = scene.view { it is Footer }
        assertTrue(top(footer) + footer.height <= scene.decor.height - bottom)
        val panel = scene.view { it is Panel }
        assertEquals("the sheet goes on behind the bar", scene.decor.height, top(panel) + panel.height)
    }

    @Test
    fun inAnActivityThatHandlesNightItselfTheColoursFollow() {
        scene.show().open()
        assertEquals(Palette.LIGHT.text, titleColor())
        RuntimeEnvironment.setQualifiers("+night")
        @Suppress("DEPRECATION")
        scene.activity.resources.updateConfiguration(
            RuntimeEnvironment.getApplication().resources.configuration,
            scene.activity.resources.displayMetrics,
        )
        scene.decor.dispatchConfigurationChanged(scene.activity.resources.configuration)
        scene.settle()
        assertEquals(Palette.DARK.text, titleColor())
        assertTrue(scene.isOpen())
    }

    private fun titleColor() = (scene.view { it is TextView && it.text == Texts.TITLE } as TextView).currentTextColor

    private fun left(view: View) = IntArray(2).also(view::getLocationInWindow)[0]

    private fun top(view: View) = IntArray(2).also(view::getLocationInWindow)[1]
}
