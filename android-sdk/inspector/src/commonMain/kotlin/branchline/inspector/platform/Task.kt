package branchline.inspector.platform

/** What a [Worker] runs. */
internal expect interface Task {
    fun run()
}
