package app.service.inspector

/** What an analytics SDK does with a payload after a middleware. */
public fun interface PayloadChain<in P> {
    /** Continues with [payload]. */
    public fun proceed(payload: P)
}
