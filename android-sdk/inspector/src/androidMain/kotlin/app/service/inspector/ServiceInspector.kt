package app.service.inspector

import android.app.Activity
import android.app.Application
import branchline.inspector.AndroidInspector
import branchline.inspector.InspectorCore
import branchline.inspector.StaticSettings
import branchline.inspector.platform.AndroidLog
import branchline.inspector.visual.VisualInspectors
import org.json.JSONObject

/**
 * The Inspector of an Android app: derives the schemas of the analytics events that it tracks, on the device, and reports them: names
 * and types, never values.
 *
 * Any thread may call; no call throws, whatever it is given, and none waits for the disk or the network. Where the key, the application
 * or the environment is null, schemas are derived and none is sent, which a warning in the log says. Documents: "Operations".
 *
 * @param apiKey from the Inspector tab of the workspace
 * @param application the application that tracks
 * @param env the environment that the application runs in, which gives the defaults of all settings
 * @param rootActivityForVisualInspector where the visual inspector is shown at once in development and staging (dev artifact only);
 *     with null, on the next Activity that the user comes to
 */
public actual class ServiceInspector
    @JvmOverloads
    public constructor(
        apiKey: String?,
        private val application: Application?,
        env: ServiceInspectorEnv?,
        rootActivityForVisualInspector: Activity? = null,
    ) {
        internal actual val core: InspectorCore = AndroidInspector.core(apiKey, application, env)

        init {
            AndroidInspector.showByDefault(application, env, rootActivityForVisualInspector)
        }

        public actual fun trackSchemaFromEvent(
            eventName: String,
            eventProperties: Map<String, *>?,
        ): Map<String, ServiceEventSchemaType> = core.trackSchemaFromEvent(eventName, eventProperties)

        /** As the other one, with the properties of a JSON object. */
        public fun trackSchemaFromEvent(
            eventName: String,
            eventProperties: JSONObject?,
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

        /** Shows the visual inspector on the Activity that the user is on, and follows them. The prod artifact has none, and does nothing. */
        public fun showVisualInspector(
            rootActivity: Activity,
            visualInspectorMode: DebuggerMode,
        ): Unit = VisualInspectors.show(application, rootActivity, visualInspectorMode)

        /** Hides the visual inspector. */
        public fun hideVisualInspector(rootActivity: Activity): Unit = VisualInspectors.hide(rootActivity)

        /** The visual inspector, once it was shown; always null in the prod artifact. */
        public fun getVisualInspector(): Any? = VisualInspectors.manager()

        public actual companion object {
            @JvmStatic
            public actual fun enableLogging(enable: Boolean): Unit = StaticSettings.enableLogging(enable)

            @JvmStatic
            public actual fun isLogging(): Boolean = StaticSettings.isLogging

            @JvmStatic
            public actual fun setBatchSize(newBatchSize: Int): Unit = StaticSettings.setBatchSize(newBatchSize, AndroidLog)

            @JvmStatic
            public actual fun getBatchSize(): Int = StaticSettings.batchSize

            @JvmStatic
            public actual fun setBatchFlushSeconds(newBatchFlushSeconds: Int): Unit =
                StaticSettings.setBatchFlushSeconds(newBatchFlushSeconds, AndroidLog)

            @JvmStatic
            public actual fun getBatchFlushSeconds(): Int = StaticSettings.batchFlushSeconds

            @JvmStatic
            public actual fun setEndpoint(url: String?): Unit = StaticSettings.setEndpoint(url)
        }
    }
