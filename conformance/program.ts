import { runProgram } from '@branchline/command-line';
import { conformanceCommand } from './command-line/conformance.ts';

/** The package's program: `branchline conformance`, on its own. */
export function run(argv: readonly string[], version: string): Promise<void> {
  const program = conformanceCommand().name('branchline-conformance').version(version);
  return runProgram(program, argv);
}
