import { DatabaseUnavailable } from '../transient-errors.ts';

/** A byte for the kind of message, and four for the length of what follows, these four included. */
const HEADER_BYTES = 5;

/** In bytes. A row of ours has some megabytes at most. */
const MOST_MESSAGE = 64 * 1024 ** 2;

/** All messages from one `ReadyForQuery` to the next: those of one statement. */
const MOST_ANSWER = 256 * 1024 ** 2;

/** The kinds that node-postgres reads. */
const KINDS = new Set(Buffer.from('123ACDEGHIKNRSTWZcdnst'));

const READY_FOR_QUERY = 0x5a;
const ERROR = 0x45;
const NOTICE = 0x4e;
const ROW_DESCRIPTION = 0x54;
const DATA_ROW = 0x44;

/**
 * Cuts what PostgreSQL sends into messages, and refuses what no server sends before anything is kept of it: `pg-protocol` gathers a
 * message of any length, and goes on reading behind the end of one that breaks off.
 */
export class BackendMessages {
  /** What has come of a message that is not whole. */
  #pieces: Buffer[] = [];
  #size = 0;
  /** How many bytes there must be before the next message, or its header, is whole. */
  #wanted = HEADER_BYTES;
  #answer = 0;
  /** How many columns the rows of the statement have; 0 until that is told. */
  #columns = 0;

  /**
   * @param take is given each message that is whole, by itself, in their order
   * @throws DatabaseUnavailable when it is none that the protocol allows
   */
  read(chunk: Buffer, take: (message: Buffer) => void): void {
    this.#pieces.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#wanted) return;
    const bytes = this.#pieces.length === 1 ? chunk : Buffer.concat(this.#pieces);
    let at = 0;
    for (;;) {
      const left = bytes.length - at;
      this.#wanted = left < HEADER_BYTES ? HEADER_BYTES : readLength(bytes, at);
      if (left < this.#wanted) break;
      const message = bytes.subarray(at, at + this.#wanted);
      this.#check(message);
      take(message);
      at += this.#wanted;
    }
    this.#pieces = at === bytes.length ? [] : [bytes.subarray(at)];
    this.#size = bytes.length - at;
  }

  #check(message: Buffer): void {
    const [kind] = message;
    if ((kind === ERROR || kind === NOTICE) && !isTerminated(message))
      throw new DatabaseUnavailable('PostgreSQL sent an error that breaks off.');
    if (kind === READY_FOR_QUERY) this.#columns = 0;
    else if (kind === ROW_DESCRIPTION) this.#columns = readCount(message);
    else if (kind === DATA_ROW && !isWholeRow(message, this.#columns))
      throw new DatabaseUnavailable('PostgreSQL sent a row that is none of its statement, or breaks off.');
    this.#answer = kind === READY_FOR_QUERY ? 0 : this.#answer + message.length;
    if (this.#answer > MOST_ANSWER)
      throw new DatabaseUnavailable(`PostgreSQL sent more than ${MOST_ANSWER} bytes for one statement.`);
  }
}

/** Of the whole message, by its header. */
function readLength(bytes: Buffer, at: number): number {
  const kind = bytes.readUInt8(at);
  const length = 1 + bytes.readUInt32BE(at + 1);
  if (!KINDS.has(kind)) throw new DatabaseUnavailable(`PostgreSQL sent a message of the unknown kind ${kind}.`);
  if (length < HEADER_BYTES || length > MOST_MESSAGE)
    throw new DatabaseUnavailable(`PostgreSQL sent a message of ${length} bytes.`);
  return length;
}

/** Whether its fields, each a byte and a text that ends with a zero, end with one more zero: `pg-protocol` looks for that for ever. */
function isTerminated(message: Buffer): boolean {
  let at = HEADER_BYTES;
  while (at < message.length && message[at] !== 0) {
    const end = message.indexOf(0, at + 1);
    if (end === -1) return false;
    at = end + 1;
  }
  return at < message.length;
}

function readCount(message: Buffer): number {
  return message.length < HEADER_BYTES + 2 ? 0 : message.readInt16BE(HEADER_BYTES);
}

/** Whether it has a value, each four bytes of its length and itself, or the length of -1 for null, for each of so many columns. */
function isWholeRow(message: Buffer, columns: number): boolean {
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
