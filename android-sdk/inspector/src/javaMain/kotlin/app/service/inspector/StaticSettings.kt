package app.service.inspector

import app.service.inspector.delivery.DeliveryProcess
import app.service.inspector.platform.Log
import app.service.inspector.wire.InspectorContract
import kotlin.concurrent.Volatile

/** What the static setters set, for all instances of the process. */
internal object StaticSettings {
    /** Null stands for the environment's default. */
    @Volatile
    private var logging: Boolean? = null

    /** Of the newest instance; before there is one, what needs no instance to be safe. */
    @Volatile
    private var environment = ServiceInspectorEnv.Prod

    /** Guarded by this object. */
    private var askedEndpoint: String? = null

    /** Guarded by this object. */
    private var defaultEndpoint: String? = InspectorContract.DEFAULT_ENDPOINT

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

    @Synchronized
    fun setEndpoint(url: String?) {
        askedEndpoint = url
        applyEndpoint()
    }

    /** Takes note of a new instance. */
    @Synchronized
    fun onInstance(
        environment: ServiceInspectorEnv,
        endpointOfManifest: String?,
    ) {
        this.environment = environment
        if (endpointOfManifest == null) return
        defaultEndpoint = endpointOfManifest
        applyEndpoint()
    }

    /** Forgets all, as the end of the process would. */
    @Synchronized
    fun reset() {
        logging = null
        environment = ServiceInspectorEnv.Prod
        askedEndpoint = null
        defaultEndpoint = InspectorContract.DEFAULT_ENDPOINT
        DeliveryProcess.reset()
    }

    private fun applyEndpoint() {
        val endpoint = askedEndpoint ?: defaultEndpoint
        DeliveryProcess.change { it.copy(endpoint = endpoint) }
    }
}
