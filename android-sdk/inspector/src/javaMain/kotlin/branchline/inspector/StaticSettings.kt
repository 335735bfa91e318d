package branchline.inspector

import app.service.inspector.ServiceInspectorEnv
import branchline.inspector.batching.DeliveryProcess
import branchline.inspector.platform.Log
import kotlin.concurrent.Volatile

/** What the static setters set, for all instances of the process. */
internal object StaticSettings {
    /** Null stands for the environment's default. */
    @Volatile
    private var logging: Boolean? = null

    /** Of the newest instance; before there is one, what needs no instance to be safe. */
    @Volatile
    private var environment = ServiceInspectorEnv.Prod

    val isLogging: Boolean get() = isLogging(environment)

    val batchSize: Int get() = DeliveryProcess.settings.batchSize(environment)

    val batchFlushSeconds: Int get() = DeliveryProcess.settings.batchFlushSeconds(environment)

    fun isLogging(environment: ServiceInspectorEnv): Boolean = logging ?: environment.logging

    fun enableLogging(enable: Boolean) {
        logging = enable
    }

    fun setBatchSize(
        size: Int,
        log: Log,
    ) = DeliveryProcess.change { it.withBatchSize(size, log) }

    fun setBatchFlushSeconds(
        seconds: Int,
        log: Log,
    ) = DeliveryProcess.change { it.withBatchFlushSeconds(seconds, log) }

    fun setEndpoint(url: String?) = DeliveryProcess.change { it.withEndpoint(url) }

    /** Takes note of a new instance. */
    fun onInstance(environment: ServiceInspectorEnv) {
        this.environment = environment
    }

    /** Forgets all, as the end of the process would. */
    fun reset() {
        logging = null
        environment = ServiceInspectorEnv.Prod
        DeliveryProcess.reset()
    }
}
