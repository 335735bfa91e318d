package branchline.inspector.extraction

import branchline.inspector.wire.InspectorContract

/** What holds the value that is being read: its object or list, what holds that, and so on. */
internal class Ancestors(
    root: Any,
) {
    private val path = arrayOfNulls<Any>(InspectorContract.MAX_DEPTH)
    private var depth = 0

    init {
        enter(root)
    }

    /** Whether what [enter]ed next would hold values that are nested too deep. */
    val isFull: Boolean get() = depth == path.size

    /** By identity: to ask a value for equality could run forever. */
    operator fun contains(value: Any): Boolean {
        for (index in 0 until depth) if (path[index] === value) return true
        return false
    }

    fun enter(value: Any) {
        path[depth++] = value
    }

    fun leave() {
        path[--depth] = null
    }
}
