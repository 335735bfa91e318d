import type { Located } from '../../contract.ts';
import { isObject, pointerTo } from '../../pointers.ts';
import type { Demand, PlacedChange } from './changes.ts';
import type { Pair, SchemaChange } from './change.ts';
import type { Comparison, Inner, Step } from './comparison.ts';
import { findKeyword, type View } from './view.ts';

/** A keyword whose schema a value, or a part of it, has to fit. */
interface Applicator {
  keyword: string;
  demand: Demand;
  /** What a value does that fits less of it: it fits less too, or one can't say. Left out: it fits less. */
  changed?: PlacedChange;
  what: string;
}

const APPLICATORS: readonly Applicator[] = [
  { keyword: 'not', demand: 'not', changed: 'not-changed', what: 'what it must not be' },
  { keyword: 'if', demand: 'if', changed: 'if-changed', what: 'the condition' },
  { keyword: 'then', demand: 'then', what: 'what the condition asks for' },
  { keyword: 'else', demand: 'else', what: 'what is asked for without the condition' },
  { keyword: 'contains', demand: 'contains', changed: 'contains-changed', what: 'what one of its items must be' },
  { keyword: 'propertyNames', demand: 'property-names', what: 'what the names of its properties must be' },
  { keyword: 'contentSchema', demand: 'content-schema', what: 'what its text must hold' },
  {
    keyword: 'unevaluatedItems',
    demand: 'unevaluated-items',
    changed: 'unevaluated-items-changed',
    what: 'what items must be that are not described',
  },
  {
    keyword: 'unevaluatedProperties',
    demand: 'unevaluated-properties',
    changed: 'unevaluated-properties-changed',
    what: 'what properties must be that are not described',
  },
];

/** Changes of conditions, exceptions and what else applies a schema to a value. */
export function compareApplicators(comparison: Comparison, pair: Pair): Step {
  const steps = [
    ...APPLICATORS.map((applicator) =>
      compareApplicator(comparison, applicator, findIn(pair.old, applicator), findIn(pair.new, applicator)),
    ),
    ...compareDependentSchemas(comparison, pair),
  ];
  return { changes: steps.flatMap(({ changes }) => changes), inner: steps.flatMap(({ inner }) => inner) };
}

/** What asks for nothing is left out. */
function findIn(view: View, { keyword }: Applicator): Located<unknown>[] {
  return findKeyword(view, keyword).filter(({ value, part }) => {
    if (keyword === 'contains') return true;
    if (keyword === 'if') return 'then' in part.schema || 'else' in part.schema;
    if (keyword === 'not') return value !== false;
    return value !== true && (!['then', 'else'].includes(keyword) || 'if' in part.schema);
  });
}

function compareApplicator(
  comparison: Comparison,
  { demand, changed, what }: Applicator,
  before: readonly Located<unknown>[],
  after: readonly Located<unknown>[],
): Step {
  const { views } = comparison;
  const changes: SchemaChange[] = [];
  const inner: Inner[] = [];
  for (const index of Array(Math.max(before.length, after.length)).keys()) {
    const [was, is] = [before[index], after[index]];
    if (was !== undefined && is !== undefined) {
      const pair = { old: views.old(was), new: views.new(is) };
      if (changed === undefined) inner.push(pair);
      else if (comparison.narrows(pair) || comparison.widens(pair)) {
        changes.push({ name: changed, sentence: `${what} is something else now`, side: 'new', pointer: is.pointer });
      }
    } else if (is !== undefined) {
      changes.push({ name: `${demand}-added`, sentence: `${what} is said now`, side: 'new', pointer: is.pointer });
    } else if (was !== undefined) {
      const sentence = `${what} is not said any more`;
      changes.push({ name: `${demand}-removed`, sentence, side: 'old', pointer: was.pointer });
    }
  }
  return { changes, inner };
}

/** What is asked of an object that has a property. */
function compareDependentSchemas(comparison: Comparison, pair: Pair): Step[] {
  const read = (view: View) =>
    new Map(
      findKeyword(view, 'dependentSchemas').flatMap(({ value, pointer }) =>
        Object.entries(isObject(value) ? value : {}).map(([name, schema]): [string, Located<unknown>] => [
          name,
          { value: schema, pointer: pointerTo(pointer, name) },
        ]),
      ),
    );
  const [before, after] = [read(pair.old), read(pair.new)];
  return [...new Set([...before.keys(), ...after.keys()])].map((name) => {
    const applicator: Applicator = {
      keyword: 'dependentSchemas',
      demand: 'dependent-schema',
      what: `what is asked for with the property "${name}"`,
    };
    const listOf = (map: ReadonlyMap<string, Located<unknown>>): Located<unknown>[] => {
      const schema = map.get(name);
      return schema === undefined ? [] : [schema];
    };
    return compareApplicator(comparison, applicator, listOf(before), listOf(after));
  });
}
