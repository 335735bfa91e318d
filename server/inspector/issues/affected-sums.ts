import { boundedKey } from '../keys.ts';
import { propertyTypes } from '../property-types.ts';
import type { CountedShape } from '../reports/property-sums.ts';
import { entry } from '../rows.ts';
import { parseSchema } from '../stored-schema.ts';
import type { Affected } from './affected.ts';
import type { IssueRow } from './tables.ts';

interface Sum {
  issue: IssueRow;
  count: number;
  lastSeen: number;
}

/** Sums up, from the shapes of an event in a place, what each of its issues affects: each shape is gone over once, for all of them. */
export class AffectedSums {
  readonly #sums: readonly Sum[];
  /** Those that affect every shape unless it has the property: of what is missing, and of the whole event. */
  readonly #unlessThere: readonly Sum[];
  /** Those of properties, by the path as JSON. */
  readonly #byPath = new Map<string, Sum[]>();
  #count = 0;

  constructor(issues: readonly IssueRow[]) {
    this.#sums = issues.map((issue) => ({ issue, count: 0, lastSeen: 0 }));
    this.#unlessThere = this.#sums.filter(({ issue }) => isOfEvent(issue) || isOfMissing(issue));
    for (const sum of this.#sums) {
      if (!isOfEvent(sum.issue)) entry(this.#byPath, sum.issue.path, (): Sum[] => []).push(sum);
    }
  }

  add({ schema, count, last_seen }: Pick<CountedShape, 'schema' | 'count' | 'last_seen'>): void {
    this.#count += count;
    const parsed = parseSchema(schema);
    const affected = new Set(this.#unlessThere);
    for (const { text, type } of propertyTypes(parsed)) {
      for (const sum of this.#byPath.get(text) ?? []) {
        if (isOfMissing(sum.issue)) affected.delete(sum);
        else if (isOfType(sum.issue, type)) affected.add(sum);
      }
    }
    for (const sum of affected) {
      sum.count += count;
      sum.lastSeen = Math.max(sum.lastSeen, last_seen);
    }
  }

  /** By issue id; empty if there was no event. */
  affected(): Map<string, Affected> {
    if (this.#count === 0) return new Map();
    return new Map(
      this.#sums.map(({ issue, count, lastSeen }) => [issue.issue_id, { share: count / this.#count, lastSeen }]),
    );
  }
}

function isOfEvent({ path_key }: IssueRow): boolean {
  return path_key === '';
}

function isOfMissing({ kind }: IssueRow): boolean {
  return kind === 'goneInVersion' || kind === 'missingOnSource';
}

function isOfType({ kind, compared_with }: IssueRow, type: string): boolean {
  return kind !== 'typeConflict' || boundedKey(type) !== compared_with;
}
