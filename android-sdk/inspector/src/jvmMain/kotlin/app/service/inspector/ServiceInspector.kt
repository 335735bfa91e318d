package app.service.inspector

import branchline.inspector.InspectorCore
import branchline.inspector.JvmInspector
import branchline.inspector.StaticSettings
import branchline.inspector.platform.JvmLog

/**
 * The Inspector on a plain JVM.
 *
 * @param apiKey from the Inspector tab of the workspace
 * @param application on whose behalf schemas are reported
 * @param env the environment that the application runs in
 */
public actual class ServiceInspector
    public constructor(
        apiKey: String?,
        application: JvmApplication?,
        env: ServiceInspectorEnv?,
    ) {
        internal actual val core: InspectorCore = JvmInspector.core(apiKey, application, env)

        public actual fun trackSchemaFromEvent(
            eventName: String,
            eventProperties: Map<String, *>?,
        ): Map<String, ServiceEventSchemaType> = core.trackSchemaFromEvent(eventName, eventProperties)

        public actual fun trackSchema(
            eventName: String,
            eventSchema: Map<String, ServiceEventSchemaType>?,
        ): Unit = core.trackSchema(eventName, eventSchema)

        public actual fun extractSchema(eventProperties: Any?): Map<String, ServiceEventSchemaType> = core.extractSchema(eventProperties)

        public actual fun setOptOut(optOut: Boolean) {
            core.isOptedOut = optOut
        }

        public actual fun isOptedOut(): Boolean = core.isOptedOut

        public actual companion object {
            @JvmStatic
            public actual fun enableLogging(enable: Boolean): Unit = StaticSettings.enableLogging(enable)

            @JvmStatic
            public actual fun isLogging(): Boolean = StaticSettings.isLogging

            @JvmStatic
            public actual fun setBatchSize(newBatchSize: Int): Unit = StaticSettings.setBatchSize(newBatchSize, JvmLog)

            @JvmStatic
            public actual fun getBatchSize(): Int = StaticSettings.batchSize

            @JvmStatic
            public actual fun setBatchFlushSeconds(newBatchFlushSeconds: Int): Unit =
                StaticSettings.setBatchFlushSeconds(newBatchFlushSeconds, JvmLog)

            @JvmStatic
            public actual fun getBatchFlushSeconds(): Int = StaticSettings.batchFlushSeconds

            @JvmStatic
            public actual fun setEndpoint(url: String?): Unit = StaticSettings.setEndpoint(url)
        }
    }
