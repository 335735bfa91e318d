package app.service.inspector

/**
 * Reports what passes through the middleware of an analytics SDK, so that the app itself calls neither
 * [ServiceInspector.trackSchemaFromEvent] nor [ServiceInspector.trackSchema]: payloads of the type `track` are inspected, the others
 * are not, and each goes on unchanged. Documents: "Automatic inspection through an analytics SDK middleware".
 *
 * Whatever [reader] throws stays here; what the chain throws is the SDK's, and passes through.
 *
 * @param inspector that reports
 * @param reader that knows the SDK's payloads
 */
public class InspectorMiddleware<P>(
    private val inspector: ServiceInspector,
    private val reader: PayloadReader<P>,
) {
    /** Inspects [payload], and then continues the [chain] with it; for an SDK whose middleware continues a chain. */
    public fun intercept(
        payload: P,
        chain: PayloadChain<P>,
    ) {
        inspect(payload)
        chain.proceed(payload)
    }

    /** Inspects [payload]; for an SDK whose plugins return the payload. */
    @Suppress("TooGenericExceptionCaught")
    public fun inspect(payload: P) {
        try {
            if (reader.typeOf(payload).equals("track", ignoreCase = true)) {
                inspector.core.trackSchemaFromEvent(reader.eventNameOf(payload), reader.propertiesOf(payload))
            }
        } catch (fault: Throwable) {
            inspector.core.onUnreadablePayload(fault)
        }
    }
}
