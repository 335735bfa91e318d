package branchline.inspector.visual.support

import android.graphics.Bitmap
import android.os.Handler
import android.os.Looper
import android.view.PixelCopy
import android.view.Window
import org.robolectric.Shadows.shadowOf
import java.io.File

/** What a user sees of [window], shadows included. */
internal fun screenshot(window: Window): Bitmap {
    System.setProperty("robolectric.pixelCopyRenderMode", "hardware")
    val bitmap = Bitmap.createBitmap(window.decorView.width, window.decorView.height, Bitmap.Config.ARGB_8888)
    var result: Int? = null
    PixelCopy.request(window, bitmap, { result = it }, Handler(Looper.getMainLooper()))
    shadowOf(Looper.getMainLooper()).idle()
    check(result == PixelCopy.SUCCESS) { "The window could not be copied: PixelCopy answered $result." }
    return bitmap
}

internal fun Bitmap.writeTo(file: File) {
    file.parentFile?.mkdirs()
    file.outputStream().use { compress(Bitmap.CompressFormat.PNG, 100, it) }
}
