/** Waits until the next request of this account and operation may go out. */
export type Pace = (lane: string) => Promise<void>;

/** Requests can arrive closer together than they were sent, and some services measure the gap. */
const MARGIN = 1.02;

/** Spreads the requests of each lane evenly, at most `perSecond` in a second. Without a rate no request waits. */
export function createPace(perSecond: number | undefined, clock: () => number = () => performance.now()): Pace {
  if (perSecond === undefined) return () => Promise.resolve();
  const interval = (MARGIN * 1_000) / perSecond;
  const next = new Map<string, number>();
  return (lane) => {
    const now = clock();
    const mine = Math.max(now, next.get(lane) ?? 0);
    next.set(lane, mine + interval);
    return mine > now ? new Promise((resolve) => setTimeout(resolve, mine - now)) : Promise.resolve();
  };
}
