import { FairOrder, type Use } from './fair-order.ts';
import { Postponement } from './postponement.ts';
import { allowFor } from './turn-allowance.ts';

/** After a piece that took longer, in milliseconds, its holder rests. */
const SHORT_PIECE_MS = 8;

/** The same where others ask for turns too. */
const SHORT_AMONG_OTHERS_MS = 1;

/** For how long a holder rests at most, in milliseconds. No piece takes as long but one in which the process or its machine stood still. */
const LONGEST_REST_MS = 1_000;

/** How long somebody counts who has asked for a turn, in milliseconds. */
const COUNTS_FOR_MS = 1_000;

/** Whoever asked last, and whoever did before among all others. */
let lastAsked = { holder: '', at: Number.NEGATIVE_INFINITY };
let askedBefore = lastAsked;

/** How many beginnings have their turns after each round of the work that goes on. */
const BEGINNINGS_A_ROUND = 8;

/**
 * What work does in its turn: it goes on, or only begins. The two have orders of their own, since what is scarce of them differs: of
 * the thread's time, and of the beginnings, of which each turn of the event loop has few. If whoever had an export made, in time
 * that nobody else could use, were behind with its beginnings for all of it, those would wait until others had begun for as long.
 */
type Kind = 'goingOn' | 'beginning';

/** Somebody who waits for a turn. */
interface Waiter {
  begin: () => void;
  isWanted: () => boolean;
}

interface Line {
  goingOn: Waiter[];
  beginning: Waiter[];
  /** How many of those that go on have their turns before the round ends. */
  leftOfRound: number;
  /** How many have begun since the last round ended. */
  begun: number;
  /** By `performance.now()`, for each kind. */
  restsUntil: Record<Kind, number>;
}

/** Those who wait or rest, by holder; whoever had a turn goes to the end. */
const lines = new Map<string, Line>();

/** By the time of the thread. */
const order = new FairOrder();

/** By the time of the thread that beginnings take, within bounds, and what goes on of the same holder, within a bound. */
const orderOfBeginnings = new FairOrder(1);

/**
 * How much counts of a beginning, and how far behind others a holder is for what of it goes on: since theirs may be short, a
 * millisecond is some ten turns of the event loop.
 */
const MOST_COUNTED_MS = 1;

/**
 * How much at least. Each turn of the event loop has few beginnings: otherwise a workspace that creates branches would
 * begin a tenth as often as a flood of requests that are refused at once, each of which takes next to nothing.
 */
const LEAST_COUNTED_MS = 0.25;

/** The clock of that order. */
let timeOfBeginnings = 0;

/** Whether the last piece went on: then one that begins comes next, so that neither kind keeps the other waiting. */
let wentOn = false;

/** Those on whom all others wait. */
const urgent: { holder: string; begin: () => void }[] = [];
let wasUrgent = false;

const postponement = new Postponement(4);

/** Whether a piece is under way, or will be looked for in the next turn of the event loop. */
let busy = false;
let alarm: NodeJS.Timeout | undefined;

/**
 * Resolves when it is the caller's turn: in each turn of the event loop one piece of work, or several that take a millisecond together,
 * of the holder that has used least of the thread by such work among those that ask, where several have used as little one after the
 * other, those of one holder in the order in which they ask. So work that takes milliseconds, cut into pieces that each wait for a turn,
 * never adds up before another request is served, and however much others ask for, however many they are, whoever asks for little waits
 * for one piece.
 *
 * What asks here goes on: it may hold something that others wait for, and waits for none of its holder's requests that have not begun
 * (see {@link takeFirstTurn}), however many those are, but for a few of them after each round of what goes on.
 *
 * After a piece that can't be cut smaller its holder rests for as long as the piece took, a second at most: a request that asks a
 * database ten times then waits for one or two such pieces, not for ten. Other holders have their turns meanwhile. Where others have asked for
 * turns in the last second, a holder rests after every piece that is not very short, so that it leaves them half of the time.
 *
 * @param holder - Whom the work counts for.
 */
export function takeTurn(holder = ''): Promise<void> {
  return wait(holder, 'goingOn');
}

/**
 * The same for work that only begins, and holds nothing yet, of the holder whose beginnings have taken least. Since few begin while much
 * is under way, what is under way stays little, so that all of it has its turns often. Beginnings come all the same: of each holder some in
 * each round of what goes on, which is never long.
 *
 * @param isWanted - Whether somebody still waits for it. Otherwise it resolves without a turn, whenever those are given: to end is all that
 * is left to do. Left out: it is wanted in any case.
 */
export function takeFirstTurn(holder = '', isWanted: () => boolean = isAlwaysWanted): Promise<void> {
  return wait(holder, 'beginning', isWanted);
}

function isAlwaysWanted(): boolean {
  return true;
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

/**
 * Leaves out what would be done in the next turn of the event loop, though for no more than 4 ms at a time: something else needs many turns
 * of it.
 */
export function postponeTurns(): void {
  postponement.ask();
}

function wait(holder: string, kind: Kind, isWanted = isAlwaysWanted): Promise<void> {
  const line = lines.get(holder) ?? emptyLine();
  lines.set(holder, line);
  noteAsked(holder);
  return new Promise((resolve) => {
    line[kind].push({ begin: resolve, isWanted });
    if (!busy) giveTurn();
  });
}

function emptyLine(): Line {
  return { goingOn: [], beginning: [], leftOfRound: 0, begun: 0, restsUntil: { goingOn: 0, beginning: 0 } };
}

function isWaiting({ goingOn, beginning }: Line): boolean {
  return goingOn.length > 0 || beginning.length > 0;
}

function isReady(line: Line, kind: Kind, now: number): boolean {
  if (kind === 'beginning') endUnwanted(line);
  if (line[kind].length === 0 || line.restsUntil[kind] > now) return false;
  return kind === 'goingOn' || line.goingOn.length === 0 || line.begun < BEGINNINGS_A_ROUND;
}

/** Up to the first that is wanted: thousands who leave at once must not have their turns before one who stays. */
function endUnwanted({ beginning }: Line): void {
  while (beginning[0]?.isWanted() === false) beginning.shift()?.begin();
}

/** A round is a turn for each of those that wait to go on when it starts. */
function takeFrom(line: Line, kind: Kind): () => void {
  if (kind === 'beginning') line.begun += 1;
  else {
    if (line.leftOfRound === 0) line.leftOfRound = line.goingOn.length;
    line.leftOfRound -= 1;
    if (line.leftOfRound === 0) line.begun = 0;
  }
  return line[kind].shift()?.begin ?? (() => {});
}

function noteAsked(holder: string): void {
  if (holder !== lastAsked.holder) askedBefore = lastAsked;
  lastAsked = { holder, at: performance.now() };
}

function hasOthers(holder: string, now: number): boolean {
  const other = lastAsked.holder === holder ? askedBefore : lastAsked;
  return now - other.at < COUNTS_FOR_MS;
}

/** A piece that is to be done. */
interface Turn {
  holder: string;
  kind: Kind;
  begin: () => void;
}

function giveTurn(allowance = allowFor(performance.now(), 0)): void {
  clearTimeout(alarm);
  const now = performance.now();
  const mayBegin = allowance.beginnings > 0;
  const turn = chooseNext(now, mayBegin);
  busy = turn !== undefined || !mayBegin;
  if (turn === undefined) return mayBegin ? wakeAtTheEndOfARest(now) : giveTurnLater();
  wentOn = turn.kind === 'goingOn';
  const use = wentOn ? order.begin(turn.holder, now) : orderOfBeginnings.begin(turn.holder, timeOfBeginnings);
  turn.begin();
  // After all microtasks, in which the piece is done, and before anything else that the event loop has to do.
  queueMicrotask(() =>
    process.nextTick(() => {
      const ended = performance.now();
      endTurn(turn, use, now, ended);
      if (turn.kind === 'beginning') allowance.beginnings -= 1;
      if (ended < allowance.endsAt) giveTurn(allowance);
      else giveTurnLater();
    }),
  );
}

function giveTurnLater(): void {
  const since = performance.now();
  setImmediate(() => {
    const now = performance.now();
    if (postponement.take(now)) giveTurnLater();
    else giveTurn(allowFor(now, now - since));
  });
}

function endTurn({ holder, kind }: Turn, use: Use, since: number, ended: number): void {
  const took = ended - since;
  const line = lines.get(holder) ?? emptyLine();
  const mostWithoutRest = hasOthers(holder, since) ? SHORT_AMONG_OTHERS_MS : SHORT_PIECE_MS;
  if (took > mostWithoutRest) line.restsUntil[kind] = ended + Math.min(took, LONGEST_REST_MS);
  // Behind those who have come meanwhile.
  lines.delete(holder);
  if (isWaiting(line) || !hasRested(line, ended)) lines.set(holder, line);
  if (kind === 'goingOn') {
    orderOfBeginnings.postpone(holder, took, MOST_COUNTED_MS);
    return order.end(use, ended, urgent.length > 0 || isAnyWaiting());
  }
  timeOfBeginnings += Math.min(Math.max(took, LEAST_COUNTED_MS), MOST_COUNTED_MS);
  orderOfBeginnings.end(use, timeOfBeginnings, true);
}

function isAnyWaiting(): boolean {
  for (const line of lines.values()) if (isWaiting(line)) return true;
  return false;
}

function chooseNext(now: number, mayBegin: boolean): Turn | undefined {
  const turn = wasUrgent || urgent.length === 0 ? chooseAmongAll(now, mayBegin) : undefined;
  wasUrgent = turn === undefined && urgent.length > 0;
  if (turn !== undefined) return turn;
  const next = urgent.shift();
  return next && { ...next, kind: 'goingOn' };
}

function chooseAmongAll(now: number, mayBegin: boolean): Turn | undefined {
  const kinds: Kind[] = wentOn ? ['beginning', 'goingOn'] : ['goingOn', 'beginning'];
  for (const kind of kinds) {
    if (kind === 'beginning' && !mayBegin) continue;
    const holder = (kind === 'goingOn' ? order : orderOfBeginnings).first(readyHolders(kind, now));
    const line = holder === undefined ? undefined : lines.get(holder);
    if (holder !== undefined && line !== undefined) return { holder, kind, begin: takeFrom(line, kind) };
  }
  return undefined;
}

function* readyHolders(kind: Kind, now: number): Iterable<string> {
  for (const [holder, line] of lines) if (isReady(line, kind, now)) yield holder;
}

function wakeAtTheEndOfARest(now: number): void {
  for (const [holder, line] of lines) if (!isWaiting(line) && hasRested(line, now)) lines.delete(holder);
  // A beginning whose own rest is over waits for the work that goes on of its holder, which still rests.
  const rests = [...lines.values()].filter(isWaiting).flatMap(({ restsUntil }) => Object.values(restsUntil));
  const ends = rests.filter((end) => end > now);
  if (ends.length > 0) alarm = setTimeout(() => giveTurn(), Math.min(...ends) - now);
}

function hasRested({ restsUntil }: Line, now: number): boolean {
  return Math.max(restsUntil.goingOn, restsUntil.beginning) <= now;
}
