package app.service.inspector.extraction

import app.service.inspector.ServiceEventSchemaType

/** What a value turned out to be. What is in it is read later, piece by piece, and each piece may throw. */
internal sealed class Reading {
    /** A value without parts. */
    class Flat(
        val type: ServiceEventSchemaType,
    ) : Reading()

    /** A list. */
    class Elements(
        val values: Iterable<*>,
    ) : Reading()

    /** An object, or whatever has names for what it holds. */
    class Members(
        val entries: Iterable<Map.Entry<*, *>>,
    ) : Reading()
}
