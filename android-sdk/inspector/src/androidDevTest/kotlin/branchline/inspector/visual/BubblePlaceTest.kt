package branchline.inspector.visual

import android.graphics.Rect
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.annotation.Config
import kotlin.random.Random

@RunWith(RobolectricTestRunner::class)
@Config(sdk = [34])
internal class BubblePlaceTest {
    private val place = BubblePlace()

    @Test
    fun whereverItIsDroppedItRestsAtTheNearerSideAndOnAnyScreen() {
        val random = Random(7)
        repeat(1_000) {
            val screen = screen(random)
            val rightToLeft = random.nextBoolean()
            val x = random.nextInt(-500, 3_000).toFloat()
            place.drop(x, random.nextInt(-500, 3_000).toFloat(), screen, SIZE, rightToLeft)
            val expected = if (x + SIZE / 2f > screen.exactCenterX()) screen.right - SIZE else screen.left
            assertEquals(expected, place.x(screen, SIZE, rightToLeft))

            val turned = screen(random)
            assertTrue(turned.contains(at(turned, rightToLeft)))
        }
    }

    @Test
    fun onAScreenThatIsTooSmallItBeginsAtItsCorner() {
        val tiny = Rect(10, 20, 30, 40)
        place.drop(0f, 0f, tiny, SIZE, false)
        assertEquals(10 to 20, place.x(tiny, SIZE, false) to place.y(tiny, SIZE))
    }

    @Test
    fun itBeginsAtTheEndSide() {
        val screen = Rect(0, 0, 1_000, 2_000)
        assertEquals(1_000 - SIZE, place.x(screen, SIZE, rightToLeft = false))
        assertEquals(0, place.x(screen, SIZE, rightToLeft = true))
    }

    private fun at(
        screen: Rect,
        rightToLeft: Boolean,
    ): Rect {
        val x = place.x(screen, SIZE, rightToLeft)
        val y = place.y(screen, SIZE)
        return Rect(x, y, x + SIZE, y + SIZE)
    }

    private fun screen(random: Random): Rect {
        val left = random.nextInt(0, 50)
        val top = random.nextInt(0, 50)
        return Rect(left, top, left + random.nextInt(SIZE, 2_000), top + random.nextInt(SIZE, 2_000))
    }

    private companion object {
        const val SIZE = 128
    }
}
