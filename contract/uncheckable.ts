import { UserError } from '@branchline/command-line';
import { isStackOverflow } from './depth.ts';
import { SpecError } from './spec-error.ts';

/** What is said where the stack has come to its end. */
const TOO_MUCH =
  'it has too many parts, or leads through too many schemas that each refer to the next; split it, or shorten the way';

/** Values can't be checked by a schema of a contract. */
export class UncheckableSchema extends UserError {
  override readonly name = 'UncheckableSchema';
  /** Why, as a part of a sentence. */
  readonly reason: string;

  /** @param pointer of the schema; the empty one where it is any of the document */
  constructor(pointer: string, error: unknown) {
    const message = error instanceof Error ? error.message : String(error);
    const reason = isStackOverflow(error) ? TOO_MUCH : message;
    super(`Values can't be checked by the schema ${pointer === '' ? 'of the contract' : pointer}: ${reason}.`, {
      cause: error,
    });
    this.reason = reason;
  }
}

/**
 * Works with a contract, whatever it holds.
 *
 * @param file stands in front of the sentence
 * @throws SpecError where values can't be checked by it, or it holds more than the stack has room for; and what the work itself throws
 */
export async function explainUnusable<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const sentence = explain(error);
    if (sentence === undefined) throw error;
    throw new SpecError(file, [{ position: { line: 1, column: 1 }, sentence }]);
  }
}

function explain(error: unknown): string | undefined {
  if (error instanceof UncheckableSchema) return error.message;
  return isStackOverflow(error) ? `This contract can't be worked with: ${TOO_MUCH}.` : undefined;
}
