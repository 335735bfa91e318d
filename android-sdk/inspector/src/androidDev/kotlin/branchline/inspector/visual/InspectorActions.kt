package branchline.inspector.visual

/** What the user can do by the inspector's views. */
internal interface InspectorActions {
    fun open()

    fun close()

    fun hide()

    fun clear()

    fun pauseOrResume()

    fun search(query: String)

    fun foldOrUnfold(report: Report)

    fun copy(report: Report)
}
