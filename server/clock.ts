/** Returns milliseconds since 1970, UTC. Injected wherever time is read, so that tests control it. */
export type Clock = () => number;
