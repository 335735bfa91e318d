package branchline.inspector.extraction

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

    /** An object, or whatever has names for what it holds. An entry is read before the next is asked for, and may be the same object. */
    class Members(
        val entries: Iterable<Map.Entry<*, *>>,
        /** How many there are, unless the value does not tell the truth. */
        val count: Int,
    ) : Reading()
}
