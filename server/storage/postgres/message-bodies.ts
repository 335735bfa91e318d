/** A byte for the kind of message, and four for the length of what follows, these four included. */
export const HEADER_BYTES = 5;

/** Of what a description says of a column, behind its name. */
const COLUMN_BYTES = 18;

const COUNTED = 'SELECT|UPDATE|DELETE|MERGE|FETCH|MOVE|COPY';

/** What a statement that was done says of itself: those that touch rows how many, the others only what they were. */
const TAG = new RegExp(`^(?:(?:INSERT 0|${COUNTED}) \\d{1,19}|(?!INSERT|${COUNTED})[A-Z]+(?: [A-Z]+)*)$`);
const MOST_TAG = 64;

/**
 * The kinds that are read, by their letters, each with whether a message is whole and of its kind (PostgreSQL's documentation, "Message
 * Formats"). A row is so only beside the description of its columns ({@link isWholeRow}).
 */
const BODIES: Record<string, (message: Buffer) => boolean> = {
  1: isEmpty,
  2: isEmpty,
  n: isEmpty,
  A: (message) => hasTexts(message, HEADER_BYTES + 4, 2),
  C: isTagged,
  D: () => true,
  E: hasFields,
  K: (message) => message.length > HEADER_BYTES + 4,
  N: hasFields,
  R: (message) => message.length >= HEADER_BYTES + 4,
  S: (message) => hasTexts(message, HEADER_BYTES, 2),
  T: isDescription,
  Z: (message) =>
    message.length === HEADER_BYTES + 1 && 'ITE'.includes(String.fromCodePoint(message[HEADER_BYTES] ?? 0)),
};

/** @param kind its letter */
export function isKnownKind(kind: string): boolean {
  return Object.hasOwn(BODIES, kind);
}

/** Whether a message of a known kind, its header included, is one of that kind from its first byte to its last. */
export function isOfItsKind(kind: string, message: Buffer): boolean {
  return BODIES[kind]?.(message) ?? false;
}

/** @returns how many columns a description or a row has; -1 where it breaks off before that */
export function readCount(message: Buffer): number {
  return message.length < HEADER_BYTES + 2 ? -1 : message.readInt16BE(HEADER_BYTES);
}

/** Whether it has a value, each four bytes of its length and itself, or the length of -1 for null, for each of so many columns. */
export function isWholeRow(message: Buffer, columns: number): boolean {
  if (readCount(message) !== columns) return false;
  let at = HEADER_BYTES + 2;
  for (let column = 0; column < columns; column += 1) {
    if (at + 4 > message.length) return false;
    const length = message.readInt32BE(at);
    if (length < -1) return false;
    at += 4 + Math.max(0, length);
  }
  return at === message.length;
}

function isEmpty(message: Buffer): boolean {
  return message.length === HEADER_BYTES;
}

/** Whether so many texts, each with a zero behind it, are all that there is from a place on. */
function hasTexts(message: Buffer, from: number, count: number): boolean {
  let at = from;
  for (let text = 0; text < count; text += 1) {
    const end = message.indexOf(0, at);
    if (at > message.length || end === -1) return false;
    at = end + 1;
  }
  return at === message.length;
}

function isTagged(message: Buffer): boolean {
  if (message.length > HEADER_BYTES + MOST_TAG || !hasTexts(message, HEADER_BYTES, 1)) return false;
  return TAG.test(message.toString('latin1', HEADER_BYTES, message.length - 1));
}

/** Whether its fields, each a byte and a text that ends with a zero, end with one more zero: `pg-protocol` looks for that for ever. */
function hasFields(message: Buffer): boolean {
  let at = HEADER_BYTES;
  while (at < message.length && message[at] !== 0) {
    const end = message.indexOf(0, at + 1);
    if (end === -1) return false;
    at = end + 1;
  }
  return at === message.length - 1;
}

function isDescription(message: Buffer): boolean {
  const columns = readCount(message);
  let at = HEADER_BYTES + 2;
  for (let column = 0; column < columns; column += 1) {
    const end = message.indexOf(0, at);
    if (end === -1) return false;
    at = end + 1 + COLUMN_BYTES;
  }
  return columns >= 0 && at === message.length;
}
