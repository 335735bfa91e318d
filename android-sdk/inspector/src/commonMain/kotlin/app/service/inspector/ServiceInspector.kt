package app.service.inspector

import branchline.inspector.InspectorCore

/**
 * Derives the schemas of the analytics events that an app tracks, on the device, and reports them: names and types, never values.
 *
 * Any thread may call; no call throws, whatever it is given, and none waits for the disk or the network. Documents: "Operations".
 */
public expect class ServiceInspector {
    internal val core: InspectorCore

    /**
     * Reports the schema of an event that was tracked. Call either this or [trackSchema], once for each event.
     *
     * @param eventProperties the properties by name; null stands for none
     * @return the schema that was derived, for you to verify; a copy
     */
    public fun trackSchemaFromEvent(
        eventName: String,
        eventProperties: Map<String, *>?,
    ): Map<String, ServiceEventSchemaType>

    /**
     * Reports a schema that the app has made itself, or has changed after [extractSchema].
     *
     * @param eventSchema the types by name; null stands for an empty schema
     */
    public fun trackSchema(
        eventName: String,
        eventSchema: Map<String, ServiceEventSchemaType>?,
    )

    /**
     * Derives a schema without reporting it: from the pairs of a map (on Android of a `JSONObject` too), or from the fields of any
     * other object.
     *
     * @return a fresh map, which may be changed; empty for null, and for what has neither pairs nor fields
     */
    public fun extractSchema(eventProperties: Any?): Map<String, ServiceEventSchemaType>

    /**
     * Stops reporting for this API key and environment: with true, what is unsent is forgotten and nothing more is reported, also
     * after a restart, until false. Defaults to false.
     */
    public fun setOptOut(optOut: Boolean)

    /** Whether reporting is stopped by [setOptOut]. */
    public fun isOptedOut(): Boolean

    /** Settings of all instances. What is set wins over the default of an environment, whichever comes first. */
    public companion object {
        /** Switches the printing of schemas and other information to the log. Defaults to true in the development environment only. */
        public fun enableLogging(enable: Boolean)

        /** Whether schemas and other information are printed to the log, in the environment of the newest instance. */
        public fun isLogging(): Boolean

        /**
         * Sets the number of unsent schemas at which they are sent; what is not from 1 to 1,000 is taken as the nearest that is.
         * Defaults to 30, in development to 1.
         */
        public fun setBatchSize(newBatchSize: Int)

        /** The number of unsent schemas at which they are sent, in the environment of the newest instance. */
        public fun getBatchSize(): Int

        /**
         * Sets the seconds that a schema waits at most for others; what is not from 1 to 86,400 is taken as the nearest that is.
         * Defaults to 30; in development nothing waits.
         */
        public fun setBatchFlushSeconds(newBatchFlushSeconds: Int)

        /** The seconds that a schema waits at most for others, in the environment of the newest instance; 0 is not to wait. */
        public fun getBatchFlushSeconds(): Int

        /**
         * Sets the base address of the service: `https`, or `http` to this device or an emulator's host. Defaults to the meta-data
         * `app.service.inspector.ENDPOINT` of the manifest; null goes back to that.
         */
        public fun setEndpoint(url: String?)
    }
}
