import type { Behaviour, Kind, Reply } from './service/behaviour.ts';

/** One thing in which a service differs from the correct one. */
export interface Difference {
  /** Kebab case; switches it on. */
  name: string;
  /** What the service does, as a sentence without its subject: `answers 200 to a creation`. */
  does: string;
  /** Called once for each service, so that a difference may keep a state of its own. */
  change: () => Partial<Behaviour>;
}

/** A difference that the documents forbid. */
export interface Fault extends Difference {
  /** Some calls never get a whole answer, so that a short time limit is in order. */
  neverEnds?: true;
  /** How many branches it takes to see it. Left out: as many as a run creates anyway. */
  exportRows?: number;
  /** Ids of the required clauses that it breaks. The suite must find each of them. */
  breaks: readonly string[];
}

/** Changes the replies of some kinds only. */
export function onReply(kinds: Kind | readonly Kind[], change: (reply: Reply) => Partial<Reply>): Partial<Behaviour> {
  return { reply: (reply) => (kinds.includes(reply.kind) ? { ...reply, ...change(reply) } : reply) };
}

/** Changes fields of JSON replies; `undefined` leaves a field out. */
export function onFields(
  kinds: Kind | readonly Kind[],
  change: (fields: Record<string, unknown>) => Record<string, unknown>,
): Partial<Behaviour> {
  return onReply(kinds, ({ body }) => ({ body: { ...Object(body), ...change(Object(body)) } }));
}
