import type { Located } from '../../contract.ts';
import type { OpenApiDocument } from '../../openapi.ts';
import { type Direction, type Effect } from '../levels.ts';
import { compareArrays } from './arrays.ts';
import { compareApplicators } from './applicators.ts';
import { compareBounds } from './bounds.ts';
import { effectOf } from './changes.ts';
import type { Pair, SchemaChange } from './change.ts';
import { compareDiscriminators } from './discriminators.ts';
import { compareObjects } from './objects.ts';
import { compareTextsAndNumbers } from './texts-and-numbers.ts';
import { compareTypes, typesOf } from './types.ts';
import { compareUnions } from './unions.ts';
import { compareUse } from './use.ts';
import { compareDefaults, compareValues } from './values.ts';
import { type View, viewOf } from './view.ts';

/** What two versions of a schema do not have in common themselves, and the schemas within them that are to be compared. */
export interface Step {
  changes: readonly SchemaChange[];
  inner: readonly Inner[];
}

/** Schemas within others. What is silent has no effect: it stands in the other direction alone. */
export interface Inner extends Pair {
  isSilent?: boolean;
}

/** A change found in a schema or within it. */
export interface FoundChange extends SchemaChange {
  effect: Effect;
  /** It is one of the outermost schema itself. */
  isRoot: boolean;
}

export interface ComparisonOptions {
  documents: { old: OpenApiDocument; new: OpenApiDocument };
  direction: Direction;
  /** The values are written as text, as in parameters and headers. */
  isText: boolean;
  /** As `2026-12-31`: what was to go before it may be gone. */
  today: string;
}

const NOTHING: Step = { changes: [], inner: [] };

/** Compares schemas of two documents, in one direction. */
export class Comparison {
  readonly documents: ComparisonOptions['documents'];
  readonly direction: Direction;
  readonly isText: boolean;
  readonly today: string;
  readonly #steps = new Map<string, Step>();

  constructor({ documents, direction, isText, today }: ComparisonOptions) {
    this.documents = documents;
    this.direction = direction;
    this.isText = isText;
    this.today = today;
  }

  /** What schemas of either document ask together of the same value. */
  readonly views = {
    old: (...schemas: readonly Located<unknown>[]): View => viewOf(this.documents.old, schemas),
    new: (...schemas: readonly Located<unknown>[]): View => viewOf(this.documents.new, schemas),
  };

  /** All changes of a schema and of those within it. Schemas that lead back to themselves are looked at once. */
  compare(pair: Pair): FoundChange[] {
    const found: FoundChange[] = [];
    const queue: Inner[] = [pair];
    const seen = new Set<string>();
    for (const next of queue) {
      const key = `${keyOf(next)} ${next.isSilent === true}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const { changes, inner } = this.#takeStep(next);
      for (const change of changes) {
        const effect = next.isSilent === true ? 'none' : (change.effect ?? effectOf(change.name, this.direction));
        found.push({ ...change, effect, isRoot: next === pair });
      }
      for (const one of inner) queue.push({ ...one, isSilent: one.isSilent === true || next.isSilent === true });
    }
    return found;
  }

  /** Whether a value that fitted may not fit any more. */
  narrows(pair: Pair): boolean {
    return this.compare(pair).some(({ effect }) => ['narrows', 'replaces', 'unsure'].includes(effect));
  }

  /** Whether a value may fit that did not. */
  widens(pair: Pair): boolean {
    return this.compare(pair).some(({ effect }) => ['widens', 'replaces', 'unsure'].includes(effect));
  }

  #takeStep(pair: Pair): Step {
    const key = keyOf(pair);
    const known = this.#steps.get(key);
    if (known !== undefined) return known;
    // Alternatives that lead back here while it is looked at are taken to be the same.
    this.#steps.set(key, NOTHING);
    const step = this.#look(pair);
    this.#steps.set(key, step);
    return step;
  }

  #look(pair: Pair): Step {
    const [was, is] = [isNothing(pair.old), isNothing(pair.new)];
    if (was && is) return NOTHING;
    if (was || is) return { changes: [describeFalse(pair, is)], inner: [] };
    const unions = compareUnions(this, pair);
    if (unions.isWhole) return unions;
    const steps = [
      unions,
      compareDiscriminators(this, pair),
      compareObjects(this, pair),
      compareArrays(this, pair),
      compareApplicators(this, pair),
    ];
    return {
      changes: [
        ...compareTypes(pair, this.isText),
        ...compareValues(pair),
        ...compareBounds(pair),
        ...compareTextsAndNumbers(pair),
        ...compareDefaults(pair),
        ...compareUse(pair),
        ...steps.flatMap(({ changes }) => changes),
      ],
      inner: steps.flatMap(({ inner }) => inner),
    };
  }
}

function keyOf(pair: Pair): string {
  return `${pair.old.key} → ${pair.new.key}`;
}

function isNothing(view: View): boolean {
  return view.isFalse || typesOf(view).size === 0;
}

function describeFalse({ old, new: after }: Pair, isFalse: boolean): SchemaChange {
  if (!isFalse) {
    const sentence = 'no value was allowed here, and some are now';
    return { name: 'schema-became-not-false', sentence, side: 'old', pointer: old.pointer };
  }
  return { name: 'schema-became-false', sentence: 'no value is allowed here now', side: 'new', pointer: after.pointer };
}
