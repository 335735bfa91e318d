package branchline.inspector.platform

/** The log of the device. */
internal object AndroidLog : Log {
    private const val TAG = "ServiceInspector"

    /** The device cuts a longer line by itself, without a sign. */
    private const val MAX_LENGTH = 4_000

    override fun line(
        level: Int,
        text: String,
    ) {
        val shown = if (text.length > MAX_LENGTH) text.substring(0, MAX_LENGTH - 1) + "…" else text
        if (level == Level.WARN) android.util.Log.w(TAG, shown) else android.util.Log.d(TAG, shown)
    }
}
