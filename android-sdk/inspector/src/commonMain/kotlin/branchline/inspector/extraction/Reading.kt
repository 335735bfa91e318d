package branchline.inspector.extraction

import app.service.inspector.ServiceEventSchemaType

/**
 * What a value turned out to be: the [ServiceEventSchemaType] of one without parts, an [Iterable] of the elements of a list, or the
 * [Members] of an object. What is in it is read later, piece by piece, and each piece may throw.
 */
internal typealias Reading = Any

/** What an object holds, or whatever has names for what it holds. */
internal class Members(
    /** An entry is read before the next is asked for, and may be the same object. */
    val entries: Iterable<Map.Entry<*, *>>,
    /** How many there are, unless the value does not tell the truth. */
    val count: Int,
)
