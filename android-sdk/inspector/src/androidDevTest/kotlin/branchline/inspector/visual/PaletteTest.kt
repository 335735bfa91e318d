package branchline.inspector.visual

import org.junit.Assert.assertTrue
import org.junit.Test
import kotlin.math.pow

internal class PaletteTest {
    /** WCAG 2.2, 1.4.3 "Contrast (Minimum)". */
    @Test
    fun everyTextHasAContrastOfAtLeastFourAndAHalf() {
        for ((name, palette) in listOf("light" to Palette.LIGHT, "dark" to Palette.DARK)) {
            for ((pair, colors) in pairs(palette)) {
                val contrast = contrast(colors.first, colors.second)
                assertTrue("$name: $pair has $contrast", contrast >= 4.5)
            }
        }
    }

    private fun pairs(palette: Palette) =
        with(palette) {
            mapOf(
                "text on surface" to (text to surface),
                "text on inset" to (text to inset),
                "text on changed inset" to (text to changedInset),
                "quiet text on surface" to (quietText to surface),
                "quiet text on inset" to (quietText to inset),
                "accent on surface" to (accent to surface),
                "accent on inset" to (accent to inset),
                "accent on changed inset" to (accent to changedInset),
                "queued on surface" to (queued to surface),
                "sent on surface" to (sent to surface),
                "failed on surface" to (failed to surface),
                "changed on surface" to (changed to surface),
                "changed on changed inset" to (changed to changedInset),
                "bubble" to (onBubble to bubble),
                "badge" to (onBadge to badge),
            )
        }

    private fun contrast(
        one: Int,
        other: Int,
    ): Double {
        val (dark, light) = listOf(luminance(one), luminance(other)).sorted()
        return (light + 0.05) / (dark + 0.05)
    }

    private fun luminance(color: Int): Double {
        val (red, green, blue) =
            listOf(16, 8, 0).map { shift ->
                val share = (color shr shift and 0xFF) / 255.0
                if (share <= 0.04045) share / 12.92 else ((share + 0.055) / 1.055).pow(2.4)
            }
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}
