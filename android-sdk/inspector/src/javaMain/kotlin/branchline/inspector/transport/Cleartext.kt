package branchline.inspector.transport

/** Whether the platform lets the app send nothing to [host] unless it is encrypted. */
internal expect fun refusesCleartext(host: String): Boolean
