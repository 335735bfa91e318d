package branchline.inspector.platform

internal actual typealias Task = Runnable
