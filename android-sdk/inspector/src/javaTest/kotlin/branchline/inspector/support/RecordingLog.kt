package branchline.inspector.support

import branchline.inspector.platform.Level
import branchline.inspector.platform.Log

/** Keeps the lines. */
internal class RecordingLog : Log {
    val lines = ArrayList<Pair<Level, String>>()

    val warnings: List<String> get() = lines.filter { it.first == Level.WARN }.map { it.second }

    override fun line(
        level: Level,
        text: String,
    ) {
        lines += level to text
    }
}
