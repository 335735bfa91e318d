import { UserError } from '@branchline/command-line';
import type { Position } from './contract.ts';

/** One thing in a spec that keeps the generator from using it. */
export interface SpecProblem {
  position: Position;
  /** What is wrong and what to do about it. */
  sentence: string;
}

/** The spec can't be used. The message lists every problem found, one a line, as `file:line:column  sentence`. */
export class SpecError extends UserError {
  override readonly name = 'SpecError';
  readonly problems: readonly SpecProblem[];

  constructor(file: string, problems: readonly SpecProblem[]) {
    const inOrder = problems.toSorted(
      (a, b) => a.position.line - b.position.line || a.position.column - b.position.column,
    );
    super(inOrder.map((p) => `${file}:${p.position.line}:${p.position.column}  ${p.sentence}`).join('\n'));
    this.problems = inOrder;
  }
}
