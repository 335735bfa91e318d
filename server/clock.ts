/** Milliseconds since 1970, UTC. Injected wherever time is read, so that tests decide what time it is. */
export type Clock = () => number;
