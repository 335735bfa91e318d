import type { Contract, Operation } from '../contract.ts';
import type { Levels } from './levels.ts';
import { Comparison } from './schema/comparison.ts';
import type { View } from './schema/view.ts';
import { levelsOfRule, levelsOfSchemaChange, nameSchemaRule, type OperationRule, type SchemaPlace } from './rules.ts';

/** A change by a rule, before it is known where else it shows. */
export interface Change {
  rule: string;
  levels: Levels;
  sentence: string;
  side: 'old' | 'new';
  pointer: string;
}

/** Two versions of an operation. */
export interface OperationPair {
  old: Operation;
  new: Operation;
}

/** Two contracts that are being compared. */
export class Diff {
  readonly old: Contract;
  readonly new: Contract;
  /** As `2026-12-31`. */
  readonly today: string;
  readonly #comparisons = new Map<string, Comparison>();

  constructor(old: Contract, after: Contract, today: string) {
    this.old = old;
    this.new = after;
    this.today = today;
  }

  /** The changes of a schema. What stands within it is told of as a property. */
  compareSchemas(
    place: 'request-body' | 'request-parameter' | 'response-body' | 'response-header',
    read: (comparison: Comparison) => { old: View; new: View },
    { isText = false } = {},
  ): Change[] {
    const comparison = this.#compare(place.startsWith('request') ? 'request' : 'response', isText);
    return comparison.compare(read(comparison)).map(({ name, effect, sentence, side, pointer, isRoot }) => {
      const where = isRoot ? place : WITHIN[place];
      return {
        rule: nameSchemaRule(where, name),
        levels: levelsOfSchemaChange(where, effect),
        sentence,
        side,
        pointer,
      };
    });
  }

  #compare(direction: 'request' | 'response', isText: boolean): Comparison {
    const key = `${direction} ${isText}`;
    const known = this.#comparisons.get(key);
    if (known !== undefined) return known;
    const documents = { old: this.old.document, new: this.new.document };
    const made = new Comparison({ documents, direction, isText, today: this.today });
    this.#comparisons.set(key, made);
    return made;
  }
}

const WITHIN = {
  'request-body': 'request-property',
  'request-parameter': 'request-parameter-property',
  'response-body': 'response-property',
  'response-header': 'response-header-property',
} as const satisfies Partial<Record<SchemaPlace, SchemaPlace>>;

/** A change of something that is no schema, and stands in the new contract. */
export function come(rule: OperationRule, pointer: string, sentence: string): Change {
  return { rule, levels: levelsOfRule(rule), sentence, side: 'new', pointer };
}

/** The same of something that stands in the old one alone. */
export function gone(rule: OperationRule, pointer: string, sentence: string): Change {
  return { rule, levels: levelsOfRule(rule), sentence, side: 'old', pointer };
}
