package app.service.inspector.platform

/** Lets warnings through always, and other lines while [isOn]. */
internal class SwitchedLog(
    private val log: Log,
    private val isOn: () -> Boolean,
) : Log {
    override fun line(
        level: Level,
        text: String,
    ) {
        if (shows(level)) log.line(level, text)
    }

    override fun shows(level: Level): Boolean = level == Level.WARN || isOn()
}
