import { FairOrder, type Use } from './fair-order.ts';

/** After a piece that took longer, in milliseconds, its holder rests. */
const SHORT_PIECE_MS = 8;

/** The same where others ask for turns too. */
const SHORT_AMONG_OTHERS_MS = 1;

/**
 * For how long pieces are done one after the other in one turn of the event loop, in milliseconds. One in each would make a turn, not
 * the thread, what is scarce: while much arrives from a database, a turn of the event loop takes many times as long as most pieces. Of
 * those that only begin there is one in each, so that little is under way.
 */
const MOST_AT_ONCE_MS = 1;

/** How long somebody counts who has asked for a turn, in milliseconds. */
const COUNTS_FOR_MS = 1_000;

/** Whoever asked last, and whoever did before among all others. */
let lastAsked = { holder: '', at: Number.NEGATIVE_INFINITY };
let askedBefore = lastAsked;

/** How many beginnings have their turns after each round of the work that goes on. */
const BEGINNINGS_A_ROUND = 8;

interface Piece {
  begin: () => void;
  /** Whether it does not only begin. */
  goesOn: boolean;
}

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

/** By the time of the thread. */
const order = new FairOrder();

/** Those on whom all others wait. */
const urgent: { holder: string; begin: () => void }[] = [];
let wasUrgent = false;

/** Whether a piece is under way, or will be looked for in the next turn of the event loop. */
let busy = false;
let alarm: NodeJS.Timeout | undefined;

/**
 * Resolves when it is the caller's turn: in each turn of the event loop one piece of work, or several that take a millisecond together,
 * of the holder that has used least among those that ask, where several have used as little one after the other, those of one holder in
 * the order in which they ask. So work that takes milliseconds, cut into pieces that each wait for a turn, never adds up before another
 * request is served, and however much others ask for, however many they are, whoever asks for little waits for one piece.
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

/**
 * The same for work that holds what all other holders wait for, such as a database that one at a time writes to: it comes next, but
 * for one piece of the others after each of its own.
 */
export function takeUrgentTurn(holder: string): Promise<void> {
  return new Promise((resolve) => {
    urgent.push({ holder, begin: resolve });
    if (!busy) giveTurn();
  });
}

function wait(holder: string, kind: 'goingOn' | 'beginning'): Promise<void> {
  const line = lines.get(holder) ?? emptyLine();
  lines.set(holder, line);
  noteAsked(holder);
  return new Promise((resolve) => {
    line[kind].push(resolve);
    if (!busy) giveTurn();
  });
}

function emptyLine(): Line {
  return { goingOn: [], beginning: [], leftOfRound: 0, begun: 0, restsUntil: 0 };
}

function isWaiting({ goingOn, beginning }: Line): boolean {
  return goingOn.length > 0 || beginning.length > 0;
}

/** A round is a turn for each of those that wait to go on when it starts. */
function takeNext(line: Line, mayBegin: boolean): Piece {
  if (line.leftOfRound === 0 && (!mayBegin || line.begun >= BEGINNINGS_A_ROUND || line.beginning.length === 0)) {
    line.leftOfRound = line.goingOn.length;
    line.begun = 0;
  }
  const goesOn = line.leftOfRound > 0;
  if (goesOn) line.leftOfRound -= 1;
  else line.begun += 1;
  const begin = (goesOn ? line.goingOn : line.beginning).shift();
  return { begin: begin ?? (() => {}), goesOn };
}

function noteAsked(holder: string): void {
  if (holder !== lastAsked.holder) askedBefore = lastAsked;
  lastAsked = { holder, at: performance.now() };
}

function hasOthers(holder: string, now: number): boolean {
  const other = lastAsked.holder === holder ? askedBefore : lastAsked;
  return now - other.at < COUNTS_FOR_MS;
}

/**
 * @param began when the first of the pieces did that are done in this turn of the event loop, by `performance.now()`
 * @param mayBegin whether none of them was one that only begins
 */
function giveTurn(began = performance.now(), mayBegin = true): void {
  clearTimeout(alarm);
  const now = performance.now();
  const next = chooseNext(now, mayBegin);
  busy = next !== undefined || !mayBegin;
  if (next === undefined) return mayBegin ? wakeAtTheEndOfARest(now) : giveTurnLater();
  const use = order.begin(next.holder, now);
  next.piece.begin();
  // After all microtasks, in which the piece is done, and before anything else that the event loop has to do.
  queueMicrotask(() =>
    process.nextTick(() => {
      const ended = performance.now();
      endTurn(use, ended);
      if (ended - began < MOST_AT_ONCE_MS) giveTurn(began, mayBegin && next.piece.goesOn);
      else giveTurnLater();
    }),
  );
}

function giveTurnLater(): void {
  setImmediate(() => giveTurn());
}

function endTurn(use: Use, ended: number): void {
  const { holder, since } = use;
  const took = ended - since;
  const line = lines.get(holder) ?? emptyLine();
  if (took > (hasOthers(holder, since) ? SHORT_AMONG_OTHERS_MS : SHORT_PIECE_MS)) line.restsUntil = ended + took;
  // Behind those who have come meanwhile.
  lines.delete(holder);
  if (isWaiting(line) || line.restsUntil > ended) lines.set(holder, line);
  order.end(use, ended, isAnyWaiting());
}

function isAnyWaiting(): boolean {
  if (urgent.length > 0) return true;
  for (const line of lines.values()) if (isWaiting(line)) return true;
  return false;
}

function chooseNext(now: number, mayBegin: boolean): { holder: string; piece: Piece } | undefined {
  const holder = wasUrgent || urgent.length === 0 ? order.first(readyHolders(now, mayBegin)) : undefined;
  const line = holder === undefined ? undefined : lines.get(holder);
  wasUrgent = line === undefined && urgent.length > 0;
  if (holder !== undefined && line !== undefined) return { holder, piece: takeNext(line, mayBegin) };
  const next = urgent.shift();
  return next && { holder: next.holder, piece: { begin: next.begin, goesOn: true } };
}

function* readyHolders(now: number, mayBegin: boolean): Iterable<string> {
  for (const [holder, line] of lines) {
    const isReady = mayBegin ? isWaiting(line) : line.goingOn.length > 0;
    if (isReady && line.restsUntil <= now) yield holder;
  }
}

function wakeAtTheEndOfARest(now: number): void {
  for (const [holder, line] of lines) if (!isWaiting(line) && line.restsUntil <= now) lines.delete(holder);
  const ends = [...lines.values()].filter(isWaiting).map(({ restsUntil }) => restsUntil);
  if (ends.length > 0) alarm = setTimeout(giveTurn, Math.min(...ends) - now);
}
