/** Between the messages of a statement PostgreSQL may say at any time that a setting has changed, that something was said, or a warning. */
const AT_ANY_TIME = new Set('ANS');

const ERROR = 'E';
const DONE = 'C';

/** The end of a statement that was parsed, or whose rows were described: it is the only one of its text. */
const LAST_DONE = 'the last C';

/**
 * Which messages may follow one, by their letters, where statements are asked for as node-postgres asks for ours (PostgreSQL's
 * documentation, "Message Flow"): none of them copies or is empty, and their rows are all read. An error may follow each.
 */
const FOLLOWS: Record<string, string> = {
  // Signing on.
  '': 'R',
  R: 'RKZ',
  K: 'Z',
  // A statement: parsed, its values bound, its columns described, its rows, done; without values the first two are left out.
  Z: '12TC',
  1: '2',
  2: 'Tn',
  n: 'C',
  T: 'DC',
  D: 'DC',
  // Migrations have several statements in one text, none of which has rows.
  C: 'ZC',
  [LAST_DONE]: 'Z',
  [ERROR]: 'Z',
};

/** Follows what a server sends from message to message. */
export class MessageOrder {
  #last = '';

  /** @returns whether a message of this kind may come now; if so it is the last one from now on */
  accept(kind: string): boolean {
    if (AT_ANY_TIME.has(kind)) return true;
    if (kind !== ERROR && FOLLOWS[this.#last]?.includes(kind) !== true) return false;
    const isLast = kind === DONE && !['Z', DONE].includes(this.#last);
    this.#last = isLast ? LAST_DONE : kind;
    return true;
  }
}
