import { UserError } from '@branchline/command-line';
import type { SpecProblem } from './contract.ts';

/** How many problems are told at once: one bracket that is missing can make hundreds of others. */
const MOST_TOLD = 10;

/** The spec can't be used. The message lists the first problems, one a line, as `file:line:column  sentence`. */
export class SpecError extends UserError {
  override readonly name = 'SpecError';
  /** All that were found, in the order of the text. */
  readonly problems: readonly SpecProblem[];

  constructor(file: string, problems: readonly SpecProblem[]) {
    super(listFirst(printProblems(file, problems)).join('\n'));
    this.problems = sortByPlace(problems);
  }
}

/** Each problem once, as `file:line:column  sentence`, in the order of the text. */
export function printProblems(file: string, problems: readonly SpecProblem[]): string[] {
  const lines = sortByPlace(problems).map(
    ({ position, sentence }) => `${position.file ?? file}:${position.line}:${position.column}  ${sentence}`,
  );
  return [...new Set(lines)];
}

function listFirst(lines: readonly string[]): readonly string[] {
  const more = lines.length - MOST_TOLD;
  return more <= 0 ? lines : [...lines.slice(0, MOST_TOLD), `and ${more} more; correct these first.`];
}

function sortByPlace(problems: readonly SpecProblem[]): SpecProblem[] {
  return problems.toSorted((a, b) => a.position.line - b.position.line || a.position.column - b.position.column);
}
