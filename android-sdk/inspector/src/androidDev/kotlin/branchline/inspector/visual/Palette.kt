package branchline.inspector.visual

import android.content.Context
import android.content.res.Configuration

/** The colours of one appearance. Every text colour has a contrast of at least 4.5 to what it stands on. */
@Suppress("LongParameterList")
internal class Palette(
    /** What the panel and the bar are made of. */
    val surface: Int,
    /** A place on the surface: the search field, an unfolded schema. */
    val inset: Int,
    val text: Int,
    val quietText: Int,
    val line: Int,
    val accent: Int,
    val queued: Int,
    val sent: Int,
    val failed: Int,
    val changed: Int,
    val changedInset: Int,
    val bubble: Int,
    val onBubble: Int,
    val badge: Int,
    val onBadge: Int,
    val ripple: Int,
) {
    companion object {
        val LIGHT: Palette =
            Palette(
                surface = 0xFFFFFFFF.toInt(),
                inset = 0xFFF3F4F9.toInt(),
                text = 0xFF1A1C20.toInt(),
                quietText = 0xFF565A65.toInt(),
                line = 0xFFDFE1E8.toInt(),
                accent = 0xFF2F4BC4.toInt(),
                queued = 0xFF7E5200.toInt(),
                sent = 0xFF14692F.toInt(),
                failed = 0xFFB3261E.toInt(),
                changed = 0xFF7A4300.toInt(),
                changedInset = 0xFFFFEFD6.toInt(),
                bubble = 0xFF2B3A8C.toInt(),
                onBubble = 0xFFFFFFFF.toInt(),
                badge = 0xFFB3261E.toInt(),
                onBadge = 0xFFFFFFFF.toInt(),
                ripple = 0x1F1A1C20,
            )

        val DARK: Palette =
            Palette(
                surface = 0xFF1B1D22.toInt(),
                inset = 0xFF26292F.toInt(),
                text = 0xFFE6E7EC.toInt(),
                quietText = 0xFFADB1BD.toInt(),
                line = 0xFF3A3E47.toInt(),
                accent = 0xFFB4C2FF.toInt(),
                queued = 0xFFF2C063.toInt(),
                sent = 0xFF82D99A.toInt(),
                failed = 0xFFFFB4AB.toInt(),
                changed = 0xFFFFC078.toInt(),
                changedInset = 0xFF3D2D14.toInt(),
                bubble = 0xFF3C4DAF.toInt(),
                onBubble = 0xFFFFFFFF.toInt(),
                badge = 0xFFFFB4AB.toInt(),
                onBadge = 0xFF5C0A05.toInt(),
                ripple = 0x29E6E7EC,
            )

        fun choose(context: Context): Palette = if (isNight(context)) DARK else LIGHT

        fun isNight(context: Context): Boolean {
            val night = context.resources.configuration.uiMode and Configuration.UI_MODE_NIGHT_MASK
            return night == Configuration.UI_MODE_NIGHT_YES
        }
    }
}
