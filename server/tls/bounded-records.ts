import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { type InTurn, ReadingTurn } from '../http/reading-turn.ts';
import { SmallPieces } from '../http/small-pieces.ts';

/** Before each record: its type, a version, and in two bytes how many follow (RFC 8446, 5.1). */
const HEADER_BYTES = 5;
const LENGTH_AT = 3;

/** The most records of a handshake: a client needs three or four, more where it splits its hello. */
const HANDSHAKE_RECORDS = 100;

/**
 * What a client sends before the handshake is done, in bytes: a hello of some two thousand, and little more. OpenSSL would keep a message
 * of 128 KiB, in memory of twice that, for each connection that announces one.
 */
const HANDSHAKE_BYTES = 16_384;

/** Small requests on one connection come in records of some hundred bytes each, which are not counted. */
const WITH_DATA = { reasonable: 32 };

/** Records without data: clients send one at the end, and a new key after millions of others. */
const DATALESS = { atOnce: 16, perSecond: 1 };

export interface BoundedRecordsOptions {
  /** Gives a turn to each record, or the part of it that is here. */
  inTurn: InTurn;
  /** Is called once; nothing more is passed on by then. */
  tooMany: () => void;
}

/**
 * What a TLS connection is read from: passes a TCP connection on record by record, as long as there are not too many that hold little
 * or nothing. A record costs the thread that answers everybody some microseconds, one that changes keys some fifteen, one of a
 * handshake up to some thousand, and Node would read all that has arrived at once, megabytes of each connection. So each record waits
 * for its turn.
 *
 * What a record held must be known right after it was passed on. So records are passed on only while the stream flows: its reader
 * then has them before `push()` returns.
 */
export class BoundedRecords extends Duplex {
  static #passing: BoundedRecords | undefined;

  readonly #connection: Socket;
  readonly #options: BoundedRecordsOptions;
  readonly #turn: ReadingTurn;
  readonly #small = new SmallPieces(WITH_DATA);
  readonly #dataless = new SmallPieces(DATALESS);
  #secure: TLSSocket | undefined;
  #ofHandshake = { records: 0, bytes: 0 };
  #held: Buffer = Buffer.alloc(0);
  /** Of the record whose beginning was passed on: how much of its header, and how much is still to come. */
  #header = 0;
  #left = 0;
  #dataBefore = 0;
  #isEnding = false;
  #isRefused = false;

  /** The stream whose record is being read right now, to which whatever TLS reports meanwhile belongs. */
  static get passing(): BoundedRecords | undefined {
    return BoundedRecords.#passing;
  }

  constructor(connection: Socket, options: BoundedRecordsOptions) {
    super({ allowHalfOpen: false });
    this.#connection = connection;
    this.#options = options;
    this.#turn = new ReadingTurn(options.inTurn, () => this.#passOn());
    this.on('resume', () => this.#passOn());
    connection
      .on('data', (bytes) => {
        this.#held = bytes;
        this.#passOn();
      })
      // Comes right after the last bytes, also where these wait for their turns.
      .on('end', () => {
        this.#isEnding = true;
        this.#passOn();
      })
      .on('error', (error) => this.destroy(error))
      // Freeing what TLS holds costs as much as a request.
      .on('close', () => options.inTurn(() => this.destroy()));
  }

  get connection(): Socket {
    return this.#connection;
  }

  /** Ends the handshake: from now on records are counted by the data that the connection gets from them. */
  endHandshake(secure: TLSSocket): void {
    this.#secure = secure;
    // A client that ends during the handshake has left; after it, requests may still need answers.
    this.allowHalfOpen = true;
  }

  override _read(): void {
    // What had to be buffered has been read: the rest may follow.
    if (this.#held.length > 0) setImmediate(() => this.#passOn());
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#connection.write(bytes, done);
  }

  override _final(done: () => void): void {
    this.#connection.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#connection.destroy();
    done(error);
  }

  #passOn(): void {
    while (this.#held.length > 0 && this.#mayPass() && this.#turn.take()) {
      const end = this.#findEnd();
      const part = this.#held.subarray(0, end);
      this.#held = this.#held.subarray(end);
      this.#pass(part);
    }
    if (this.#held.length > 0 || this.#isRefused) this.#connection.pause();
    else if (this.#isEnding) this.#end();
    else this.#connection.resume();
  }

  #end(): void {
    this.#isEnding = false;
    this.#options.inTurn(() => this.push(null));
  }

  #mayPass(): boolean {
    return !this.#isRefused && !this.destroyed && this.readableFlowing === true && this.readableLength === 0;
  }

  /** @returns where the record ends in what is held, or the length of that if the record goes on */
  #findEnd(): number {
    let at = 0;
    for (; at < this.#held.length && this.#header < HEADER_BYTES; at += 1, this.#header += 1) {
      if (this.#header === 0) this.#dataBefore = this.#secure?.bytesRead ?? 0;
      if (this.#header >= LENGTH_AT) this.#left = this.#left * 256 + (this.#held[at] ?? 0);
    }
    const rest = Math.min(this.#left, this.#held.length - at);
    this.#left -= rest;
    return at + rest;
  }

  #pass(part: Buffer): void {
    if (this.#secure === undefined && (this.#ofHandshake.bytes += part.length) > HANDSHAKE_BYTES) return this.#refuse();
    const before = BoundedRecords.#passing;
    BoundedRecords.#passing = this;
    this.push(part);
    BoundedRecords.#passing = before;
    if (this.#header < HEADER_BYTES || this.#left > 0) return;
    this.#header = 0;
    if (!this.#accepts()) this.#refuse();
  }

  #refuse(): void {
    this.#isRefused = true;
    this.#options.tooMany();
  }

  /** @returns whether the record that was just read is not one too many */
  #accepts(): boolean {
    if (this.#secure === undefined) return (this.#ofHandshake.records += 1) <= HANDSHAKE_RECORDS;
    const bytes = this.#secure.bytesRead - this.#dataBefore;
    return bytes > 0 ? this.#small.accept(bytes) : this.#dataless.accept(0);
  }
}
