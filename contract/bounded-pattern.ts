import { type Context, createContext, Script } from 'node:vm';
import { UserError } from '@branchline/command-line';

const MOST_MS = 2_000;

/** In a shorter text no pattern looks long; to look by the clock takes a thousand times as long. */
const SHORT = 20;

const script = new Script('pattern.test(text)');
let context: Context | undefined;

/** A pattern that is looked for by the clock: one with repetitions in repetitions may otherwise take for ever. */
export class BoundedPattern {
  readonly #pattern: RegExp;

  constructor(pattern: RegExp) {
    this.#pattern = pattern;
  }

  /** Ajv tells patterns apart by it. */
  toString(): string {
    return String(this.#pattern);
  }

  /** @throws UserError where it takes too long */
  test(text: string): boolean {
    if (text.length < SHORT) return this.#pattern.test(text);
    context ??= createContext({});
    Object.assign(context, { pattern: this.#pattern, text });
    try {
      return script.runInContext(context, { timeout: MOST_MS }) === true;
    } catch (error) {
      throw new UserError(
        `The pattern "${this.#pattern.source}" takes more than ${MOST_MS / 1_000} seconds for a text of ${text.length} characters; ` +
          'write it without repetitions in repetitions.',
        { cause: error },
      );
    }
  }
}
