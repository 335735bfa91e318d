/** A known failure that a run forgives. It names either a case or a clause. */
export interface Waiver {
  readonly case?: string;
  readonly clause?: string;
  readonly reason: string;
  /** The last day on which it counts, in UTC, as `2026-12-31`. */
  readonly until?: string;
  readonly link?: string;
  /** It stands in a baseline, which the tool keeps itself. */
  readonly baseline?: true;
}

/** As much of a case as waivers are about. */
export interface Waivable {
  readonly id: string;
  readonly clauses: readonly string[];
}

/** Whether a waiver is about a case. */
export function isAbout(waiver: Waiver, { id, clauses }: Waivable): boolean {
  return waiver.clause === undefined ? waiver.case === id : clauses.includes(waiver.clause);
}
