package branchline.inspector.transport

internal actual fun refusesCleartext(host: String): Boolean = false
