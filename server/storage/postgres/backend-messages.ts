import { DatabaseUnavailable } from '../transient-errors.ts';
import { HEADER_BYTES, isKnownKind, isOfItsKind, isWholeRow, readCount } from './message-bodies.ts';
import { MessageOrder } from './message-order.ts';

/** In bytes. A row of ours has some megabytes at most. */
const MOST_MESSAGE = 64 * 1024 ** 2;

/** All messages from one `ReadyForQuery` to the next: those of one statement. */
const MOST_ANSWER = 256 * 1024 ** 2;

const READY_FOR_QUERY = 'Z';
const ROW_DESCRIPTION = 'T';
const DATA_ROW = 'D';

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
  readonly #order = new MessageOrder();
  /** How many columns the rows of the statement have. */
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
    const kind = readKind(message, 0);
    if (!isOfItsKind(kind, message))
      throw new DatabaseUnavailable(`PostgreSQL sent a message of the kind ${kind} that breaks off, or is none.`);
    if (!this.#order.accept(kind))
      throw new DatabaseUnavailable(`PostgreSQL sent a message of the kind ${kind} that nothing asked for.`);
    if (kind === ROW_DESCRIPTION) this.#columns = readCount(message);
    else if (kind === DATA_ROW && !isWholeRow(message, this.#columns))
      throw new DatabaseUnavailable('PostgreSQL sent a row that is none of its statement, or breaks off.');
    this.#answer = kind === READY_FOR_QUERY ? 0 : this.#answer + message.length;
    if (this.#answer > MOST_ANSWER)
      throw new DatabaseUnavailable(`PostgreSQL sent more than ${MOST_ANSWER} bytes for one statement.`);
  }
}

function readKind(bytes: Buffer, at: number): string {
  return String.fromCodePoint(bytes.readUInt8(at));
}

/** Of the whole message, by its header. */
function readLength(bytes: Buffer, at: number): number {
  const length = 1 + bytes.readUInt32BE(at + 1);
  if (!isKnownKind(readKind(bytes, at)))
    throw new DatabaseUnavailable(`PostgreSQL sent a message of the unknown kind ${bytes.readUInt8(at)}.`);
  if (length < HEADER_BYTES || length > MOST_MESSAGE)
    throw new DatabaseUnavailable(`PostgreSQL sent a message of ${length} bytes.`);
  return length;
}
