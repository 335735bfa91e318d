package branchline.inspector.support

import branchline.inspector.transport.HostApp
import branchline.inspector.wire.BatchApp

/** An app that says no endpoint. */
internal class FakeApp(
    private val version: String = "1.0.0",
) : HostApp {
    override val endpoint: String? = null

    override val identity: BatchApp get() = BatchApp("com.example.shop", "Shop", version)
}
