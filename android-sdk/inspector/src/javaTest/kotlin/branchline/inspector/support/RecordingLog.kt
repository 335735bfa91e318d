package branchline.inspector.support

import branchline.inspector.platform.Level
import branchline.inspector.platform.Log

/** Keeps the lines. */
internal class RecordingLog : Log {
    val lines = ArrayList<Pair<Int, String>>()

    val warnings: List<String> get() = lines.filter { it.first == Level.WARN }.map { it.second }

    override fun line(
        level: Int,
        text: String,
    ) {
        lines += level to text
    }
}
