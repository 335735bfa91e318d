@file:Suppress("MagicNumber")

package branchline.inspector.visual

import android.graphics.Path

/** Line drawings on a field of 24 × 24. */
internal enum class Icon(
    private val draw: Path.() -> Unit,
) {
    CLOSE({
        line(6f, 6f, 18f, 18f)
        line(18f, 6f, 6f, 18f)
    }),
    PAUSE({
        polygon(6f, 5f, 9.5f, 5f, 9.5f, 19f, 6f, 19f)
        polygon(14.5f, 5f, 18f, 5f, 18f, 19f, 14.5f, 19f)
    }),
    RESUME({ polygon(8f, 5f, 19f, 12f, 8f, 19f) }),
    CLEAR({
        line(4f, 7f, 20f, 7f)
        line(9f, 7f, 9f, 4f, 15f, 4f, 15f, 7f)
        line(6f, 7f, 7f, 20f, 17f, 20f, 18f, 7f)
        line(10f, 11f, 10f, 16f)
        line(14f, 11f, 14f, 16f)
    }),
    HIDE({
        moveTo(2f, 12f)
        quadTo(12f, -1f, 22f, 12f)
        quadTo(12f, 25f, 2f, 12f)
        circle(12f, 12f, 3f)
        line(4f, 20f, 20f, 4f)
    }),
    SEARCH({
        circle(10.5f, 10.5f, 6f)
        line(15f, 15f, 20f, 20f)
    }),
    UNFOLD({ line(6f, 9.5f, 12f, 15.5f, 18f, 9.5f) }),
    FOLD({ line(6f, 15f, 12f, 9f, 18f, 15f) }),
    COPY({
        polygon(9f, 9f, 20f, 9f, 20f, 20f, 9f, 20f)
        line(5f, 15f, 4f, 15f, 4f, 4f, 15f, 4f, 15f, 5f)
    }),
    QUEUED({
        circle(12f, 12f, 9f)
        line(12f, 7f, 12f, 12f, 15.5f, 14f)
    }),
    SENT({
        circle(12f, 12f, 9f)
        line(8f, 12.5f, 11f, 15.5f, 16f, 9.5f)
    }),
    FAILED({
        circle(12f, 12f, 9f)
        line(12f, 7f, 12f, 13f)
        line(12f, 16.5f, 12f, 16.6f)
    }),
    CHANGED({
        polygon(12f, 4f, 21.5f, 20f, 2.5f, 20f)
        line(12f, 10f, 12f, 14f)
        line(12f, 17f, 12f, 17.1f)
    }),
    SCHEMA({
        line(9f, 4f, 7f, 4f, 6f, 5f, 6f, 10f, 4f, 12f, 6f, 14f, 6f, 19f, 7f, 20f, 9f, 20f)
        line(15f, 4f, 17f, 4f, 18f, 5f, 18f, 10f, 20f, 12f, 18f, 14f, 18f, 19f, 17f, 20f, 15f, 20f)
    }),
    ;

    val path: Path get() = Path().apply(draw)

    companion object {
        const val FIELD: Float = 24f
    }
}

private fun Path.line(vararg points: Float) {
    moveTo(points[0], points[1])
    for (i in 2 until points.size step 2) lineTo(points[i], points[i + 1])
}

private fun Path.polygon(vararg points: Float) {
    line(*points)
    close()
}

private fun Path.circle(
    x: Float,
    y: Float,
    radius: Float,
) = addCircle(x, y, radius, Path.Direction.CW)
