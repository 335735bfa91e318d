/** The tables that remember messages. */
export const SLOT_TABLES = [
  'seen_messages_0',
  'seen_messages_1',
  'seen_messages_2',
  'seen_messages_3',
  'seen_messages_4',
  'seen_messages_5',
  'seen_messages_6',
  'seen_messages_7',
  'seen_messages_8',
  'seen_messages_9',
  'seen_messages_10',
  'seen_messages_11',
  'seen_messages_12',
  'seen_messages_13',
  'seen_messages_14',
  'seen_messages_15',
] as const;

/** A table of messages. */
export type SlotTable = (typeof SLOT_TABLES)[number];

/** The span of `observedAt` that one table holds before the next one follows: 3 days. */
const SLOT_MS = 3 * 24 * 60 * 60 * 1_000;

/**
 * The table that remembers a message. It depends on nothing but when the client says that the event was observed, which stays
 * the same when it is sent again: so all servers look into the same one, whatever their clocks say. After 48 days the tables
 * begin anew.
 *
 * @param observedAt RFC 3339; of devices whose clock is wrong it may be any time, also one that no calendar has
 */
export function slotTable(observedAt: string): SlotTable {
  // `Date` knows no leap seconds.
  const time = Date.parse(observedAt.replace(/:60(?=[.Zz+-])/, ':59'));
  return periodTable(Number.isNaN(time) ? 0 : toPeriod(time));
}

/** Which span of 3 days since 1970 a time is in. */
export function toPeriod(time: number): number {
  return Math.floor(time / SLOT_MS);
}

/** The table of a span of 3 days. */
export function periodTable(period: number): SlotTable {
  const count = SLOT_TABLES.length;
  return SLOT_TABLES[((period % count) + count) % count] ?? SLOT_TABLES[0];
}

/** How many tables hold nothing that may still be asked for: 30 days, and what comes next, have the others. */
const EXPIRED_SLOTS = 3;

/** A table is emptied only while the next span that it will hold lies further ahead than so many spans: devices' clocks may be ahead. */
const AHEAD_SLOTS = 2;

/** How the time moves on before which messages are forgotten; milliseconds since 1970, UTC. */
export interface ForgottenSpan {
  /** Where that time stood. */
  from: number;
  /** Where it stands now. */
  to: number;
  /** The present time. */
  now: number;
}

/**
 * The tables to empty when the time before which messages are forgotten moves on. Each is emptied once for each span that it
 * has held, never while it may hold a later one. Where that time is far behind, since the server was off for a week or longer, the
 * spans that are passed over are emptied with those that follow them in their tables.
 */
export function expiredTables({ from, to, now }: ForgottenSpan): SlotTable[] {
  const end = toPeriod(to);
  const first = toPeriod(now) + AHEAD_SLOTS - SLOT_TABLES.length + 1;
  const tables: SlotTable[] = [];
  for (let period = Math.max(toPeriod(from), end - EXPIRED_SLOTS, first); period < end; period += 1)
    tables.push(periodTable(period));
  return tables;
}
