package branchline.inspector.extraction

/** What keeps the work for one event small, however large its properties are. */
internal object ExtractionLimits {
    /** A list's type is taken from so many of its first elements. */
    const val MAX_ELEMENTS: Int = 1_000

    /** After so many values, properties and elements together, what holds others is not read any more, and is unknown. */
    const val MAX_VALUES: Int = 10_000
}
