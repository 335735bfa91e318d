package branchline.inspector.platform

import android.util.Base64
import java.security.MessageDigest

internal actual fun digest(text: String): String =
    Base64.encodeToString(
        MessageDigest.getInstance("SHA-256").digest(encodeUtf8(text)),
        Base64.URL_SAFE or Base64.NO_PADDING or Base64.NO_WRAP,
    )
