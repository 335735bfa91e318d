package branchline.inspector.platform

/** The clocks of the JVM. */
internal object JvmClock : Clock {
    private const val NANOS_PER_MILLI = 1_000_000L

    override fun wallMillis(): Long = System.currentTimeMillis()

    override fun elapsedMillis(): Long = System.nanoTime() / NANOS_PER_MILLI
}
