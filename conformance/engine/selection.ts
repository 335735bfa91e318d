import { CouldNotRun } from '../could-not-run.ts';
import type { Level } from './result.ts';

/** What chooses the cases of a run; a case must meet all that is given. */
export interface Selection {
  /** Patterns: a case is tried if it meets one of them. */
  readonly only?: readonly string[];
  /** Patterns: a case is left out if it meets one of them. */
  readonly exclude?: readonly string[];
  readonly levels?: readonly Level[];
  /** The ids of the cases that failed in an earlier run. */
  readonly failedBefore?: readonly string[];
}

/** As much of a case as can choose it. */
export interface Selectable {
  readonly id: string;
  /** Another name by which a pattern may mean it. */
  readonly alias?: string;
  readonly clauses: readonly string[];
  readonly level: Level;
}

/** Whether a run tries a case. */
export function isSelected(one: Selectable, { only, exclude = [], levels, failedBefore }: Selection): boolean {
  return (
    (only === undefined || only.some((pattern) => meets(one, pattern))) &&
    !exclude.some((pattern) => meets(one, pattern)) &&
    (levels === undefined || levels.includes(one.level)) &&
    (failedBefore === undefined || failedBefore.includes(one.id))
  );
}

/**
 * Makes sure that each pattern means something.
 *
 * @param cases - all that there are for such a target.
 * @throws CouldNotRun for a pattern that no case meets, with those that are like it.
 */
export function checkSelection({ only = [], exclude = [] }: Selection, cases: readonly Selectable[]): void {
  for (const pattern of [...only, ...exclude]) {
    if (cases.some((one) => meets(one, pattern))) continue;
    throw new CouldNotRun(
      `No case has "${pattern}" as its id, as the beginning of it, or as a clause.${suggest(pattern, cases)}`,
    );
  }
}

/**
 * Whether a pattern means a case: it is the id or a clause, or what an id begins with before a `/`, or a clause before a `-`.
 * A `*` stands for any text.
 */
function meets({ id, alias = id, clauses }: Selectable, pattern: string): boolean {
  if (pattern.includes('*')) {
    const expression = new RegExp(`^${pattern.split('*').map(escapeText).join('.*')}$`, 's');
    return [id, alias, ...clauses].some((name) => expression.test(name));
  }
  const name = pattern.replace(/\/$/, '');
  const isWithin = (text: string, separator: string): boolean =>
    `${text}${separator}`.startsWith(`${name}${separator}`);
  return isWithin(id, '/') || isWithin(alias, '/') || clauses.some((clause) => isWithin(clause, '-'));
}

function escapeText(text: string): string {
  return text.replaceAll(/[.*+?^$()|[\]\\{}]/g, String.raw`\$&`);
}

/** What was chosen, as words that follow “the cases”. */
export function describeSelection({ only, exclude, levels, failedBefore }: Selection): string {
  const parts = [
    levels === undefined ? [] : [`of the level ${levels.join(' or ')}`],
    failedBefore === undefined ? [] : ['that failed before'],
    only === undefined ? [] : [`with ${quote(only)}`],
    exclude === undefined ? [] : [`without ${quote(exclude)}`],
  ];
  return parts.flat().join(' ');
}

function quote(patterns: readonly string[]): string {
  return patterns.map((pattern) => JSON.stringify(pattern)).join(' or ');
}

const SUGGESTED = 3;

function suggest(pattern: string, cases: readonly Selectable[]): string {
  const text = pattern.toLowerCase();
  const names = new Set(cases.flatMap(({ id, clauses }) => [id, ...clauses]));
  const alike = [...names].filter((name) => name.toLowerCase().includes(text));
  if (alike.length === 0) return ' --list shows them.';
  const some = alike.slice(0, SUGGESTED).join(', ');
  return ` There are ${some}${alike.length > SUGGESTED ? ', …' : ''}; "*${pattern}*" means them all.`;
}
