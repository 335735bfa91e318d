import { UserError } from '@branchline/command-line';
import type { SpecProblem } from './contract.ts';

/** The spec can't be used. The message lists every problem found, one a line, as `file:line:column  sentence`. */
export class SpecError extends UserError {
  override readonly name = 'SpecError';
  readonly problems: readonly SpecProblem[];

  constructor(file: string, problems: readonly SpecProblem[]) {
    super(printProblems(file, problems).join('\n'));
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

function sortByPlace(problems: readonly SpecProblem[]): SpecProblem[] {
  return problems.toSorted((a, b) => a.position.line - b.position.line || a.position.column - b.position.column);
}
