package branchline.inspector.extraction

/** Tells what a value is, of the classes that the platform has and Kotlin has not. */
internal fun interface ValueReader {
    /**
     * Reads a value that is neither null nor one of Kotlin's own types.
     *
     * @throws Throwable whatever the value throws
     */
    fun read(value: Any): Reading
}
