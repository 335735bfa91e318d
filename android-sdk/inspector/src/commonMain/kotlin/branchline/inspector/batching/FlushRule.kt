package branchline.inspector.batching

/** When unsent events are due (documented: Inspector Library for Android, "States and transitions, Batching" and "Limits"). */
internal object FlushRule {
    private const val MILLIS_PER_SECOND = 1_000L

    /**
     * The elapsed time from which on a send is due; null while nothing is unsent.
     *
     * @param firstUnsentSince when the first of the [unsent] came, by the elapsed clock
     */
    fun dueAt(
        unsent: Int,
        firstUnsentSince: Long?,
        batchSize: Int,
        flushSeconds: Int,
    ): Long? =
        when {
            firstUnsentSince == null -> null
            unsent >= batchSize -> firstUnsentSince
            else -> firstUnsentSince + flushSeconds * MILLIS_PER_SECOND
        }
}
