package branchline.inspector.platform

import java.security.MessageDigest
import java.util.Base64

internal actual fun digest(text: String): String =
    Base64.getUrlEncoder().withoutPadding().encodeToString(MessageDigest.getInstance("SHA-256").digest(encodeUtf8(text)))
