/** Waits until the next request of this account and operation may go out. */
export type Pace = (lane: string) => Promise<void>;

/** On their way requests come closer to each other, and some services count from one to the next. */
const MARGIN = 1.02;

/** Spreads the requests of each lane evenly: at most `perSecond` of them in a second. Without a rate nobody waits. */
export function evenPace(perSecond: number | undefined, clock: () => number = () => performance.now()): Pace {
  if (perSecond === undefined) return () => Promise.resolve();
  const interval = (MARGIN * 1_000) / perSecond;
  const nextOf = new Map<string, number>();
  return (lane) => {
    const now = clock();
    const mine = Math.max(now, nextOf.get(lane) ?? 0);
    nextOf.set(lane, mine + interval);
    return mine > now ? new Promise((resolve) => setTimeout(resolve, mine - now)) : Promise.resolve();
  };
}
