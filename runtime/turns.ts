/** After a piece that took longer, in milliseconds, its holder rests. */
const SHORT_PIECE_MS = 8;

/** The same where others ask for turns too. */
const SHORT_AMONG_OTHERS_MS = 1;

/** How long somebody counts who has asked for a turn, in milliseconds. */
const COUNTS_FOR_MS = 1_000;

/** Whoever asked last, and whoever did before among all others. */
let lastAsked = { holder: '', at: Number.NEGATIVE_INFINITY };
let askedBefore = lastAsked;

/** How many beginnings have their turns after each round of the work that goes on. */
const BEGINNINGS_A_ROUND = 8;

interface Line {
  goingOn: (() => void)[];
  beginning: (() => void)[];
  /** How many of those that go on have their turns before the next beginning. */
  leftOfRound: number;
  /** How many have begun since the last round. */
  begun: number;
  /** By `performance.now()`. */
  restsUntil: number;
}

/** Those who wait or rest, by holder; whoever had a turn goes to the end. */
const lines = new Map<string, Line>();

/** Whether a piece is under way, or will be looked for after the present turn of the event loop. */
let busy = false;
let alarm: NodeJS.Timeout | undefined;

/**
 * Resolves when it is the caller's turn: one piece of work in each turn of the event loop, the holders one after the other,
 * those of one holder in the order in which they ask. So work that takes milliseconds, cut into pieces that each wait for a turn,
 * never adds up before another request is served, and however much one holder asks for, others wait for one piece of it.
 *
 * What asks here goes on: it may hold something that others wait for, and waits for none of its holder's requests that have not begun
 * (see {@link takeFirstTurn}), however many those are, but for a few of them after each round of what goes on.
 *
 * After a piece that can't be cut smaller its holder rests for as long as the piece took: a request that asks a database ten
 * times then waits for one or two such pieces, not for ten. Other holders have their turns meanwhile. Where others have asked for
 * turns in the last second, a holder rests after every piece that is not very short, so that it leaves them half of the time.
 *
 * @param holder - Whom the work counts for.
 */
export function takeTurn(holder = ''): Promise<void> {
  return wait(holder, 'goingOn');
}

/**
 * The same for work that only begins, and holds nothing yet. Since few begin while much is under way, what is under way stays
 * little, so that all of it has its turns often. Beginnings come all the same: some after each round, which is never long.
 */
export function takeFirstTurn(holder = ''): Promise<void> {
  return wait(holder, 'beginning');
}

function wait(holder: string, kind: 'goingOn' | 'beginning'): Promise<void> {
  const line = lines.get(holder) ?? { goingOn: [], beginning: [], leftOfRound: 0, begun: 0, restsUntil: 0 };
  lines.set(holder, line);
  noteAsked(holder);
  return new Promise((resolve) => {
    line[kind].push(resolve);
    if (!busy) giveTurn();
  });
}

function isWaiting({ goingOn, beginning }: Line): boolean {
  return goingOn.length > 0 || beginning.length > 0;
}

/** A round is a turn for each of those that wait to go on when it starts. */
function takeNext(line: Line): (() => void) | undefined {
  if (line.leftOfRound === 0 && (line.begun >= BEGINNINGS_A_ROUND || line.beginning.length === 0)) {
    line.leftOfRound = line.goingOn.length;
    line.begun = 0;
  }
  if (line.leftOfRound === 0) {
    line.begun += 1;
    return line.beginning.shift();
  }
  line.leftOfRound -= 1;
  return line.goingOn.shift();
}

function noteAsked(holder: string): void {
  if (holder !== lastAsked.holder) askedBefore = lastAsked;
  lastAsked = { holder, at: performance.now() };
}

function hasOthers(holder: string, now: number): boolean {
  const other = lastAsked.holder === holder ? askedBefore : lastAsked;
  return now - other.at < COUNTS_FOR_MS;
}

function giveTurn(): void {
  clearTimeout(alarm);
  const now = performance.now();
  const next = [...lines].find(([, line]) => isWaiting(line) && line.restsUntil <= now);
  busy = next !== undefined;
  if (next === undefined) return wakeAtTheEndOfARest(now);
  const [holder, line] = next;
  takeNext(line)?.();
  let ended = now;
  // After all microtasks, in which the piece is done, and before anything else that the event loop has to do.
  queueMicrotask(() => process.nextTick(() => (ended = performance.now())));
  setImmediate(() => {
    const took = ended - now;
    if (took > (hasOthers(holder, now) ? SHORT_AMONG_OTHERS_MS : SHORT_PIECE_MS)) line.restsUntil = ended + took;
    // Behind those who have come meanwhile.
    lines.delete(holder);
    if (isWaiting(line) || line.restsUntil > ended) lines.set(holder, line);
    giveTurn();
  });
}

function wakeAtTheEndOfARest(now: number): void {
  for (const [holder, line] of lines) if (!isWaiting(line) && line.restsUntil <= now) lines.delete(holder);
  const ends = [...lines.values()].filter(isWaiting).map(({ restsUntil }) => restsUntil);
  if (ends.length > 0) alarm = setTimeout(giveTurn, Math.min(...ends) - now);
}
