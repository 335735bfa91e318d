package branchline.inspector.visual

import android.content.Context
import android.view.ContextThemeWrapper
import kotlin.math.roundToInt

/** What all views of one overlay are made with: a theme of the platform, so that the host's theme cannot disturb them, and colours. */
internal class ViewTheme(
    host: Context,
) {
    val palette: Palette = Palette.choose(host)

    val context: Context =
        ContextThemeWrapper(
            host,
            if (Palette.isNight(host)) android.R.style.Theme_Material_NoActionBar else android.R.style.Theme_Material_Light_NoActionBar,
        )

    private val density = host.resources.displayMetrics.density

    /** Pixels of [dp] density-independent ones. */
    fun px(dp: Int): Int = (dp * density).roundToInt()
}
