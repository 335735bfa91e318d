package app.service.inspector

/** Says what the payloads of an analytics SDK hold. */
public interface PayloadReader<in P> {
    /** The kind of payload, such as `track`, `identify` or `screen`; upper and lower case are alike. */
    public fun typeOf(payload: P): String?

    /** The name of the event; asked for only where the type is `track`. */
    public fun eventNameOf(payload: P): String?

    /** The properties of the event: a map, on Android a `JSONObject` too, or null for none; asked for only where the type is `track`. */
    public fun propertiesOf(payload: P): Any?
}
