import type { Contract } from '@branchline/contract';
import { escapeLineComment } from './comments.ts';

/**
 * A file that a target wants to exist.
 *
 * A `generated` file is rewritten on every run and compared by `--check`. The `scaffold` files are written only where none
 * of them stands yet, and belong to the user from then on.
 */
export interface GeneratedFile {
  /** Relative to the output folder, with `/` between its parts. */
  path: string;
  text: string;
  kind: 'generated' | 'scaffold';
  /** What is still to be done by hand in a scaffold: a sentence, told when it is created. */
  notice?: string | undefined;
}

/** Reads a file of the output folder as it stands; `undefined` where there is none. */
export type Standing = (path: string) => Promise<string | undefined>;

/** What a generated server runs on: a copy of the runtime beside its generated files, or the package `@branchline/runtime`. */
export type RuntimeChoice = 'copy' | 'package';

/** What can be chosen on the command line. Left out: what the last run has chosen, else the default. */
export interface Choices {
  /** Defaults to `copy`. */
  runtime?: RuntimeChoice | undefined;
}

/** One thing that can be made of a contract. Each lives in a folder of `generator/targets/`. */
export interface Target {
  /** The name on the command line. */
  name: string;
  /** One line for `--help`. */
  describe: string;
  /** Whether it is made of this contract where no target is asked for by name. Left out: of any. */
  byDefault?(contract: Contract): boolean;
  /**
   * The same contract gives the same files, to the byte.
   *
   * @param standing - What an earlier run has left: its choices, and files that need not be made again.
   */
  files(contract: Contract, standing: Standing, choices?: Choices): GeneratedFile[] | Promise<GeneratedFile[]>;
}

/** What each line that marks a file as generated says. */
export const GENERATED = 'by branchline generate';

/** The line that marks a file as generated; a target puts it into a comment of its language, which no name of a contract ends. */
export function generatedHeader({ source }: Contract): string {
  return `Generated ${GENERATED} from ${escapeLineComment(source)}; do not edit.`;
}
