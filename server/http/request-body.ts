import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { takeTurn } from '@branchline/runtime';
import { arrivingInput } from './arriving-input.ts';
import { awaitRest, replyToUnreadable } from './raw-replies.ts';
import { bodyPiecesOf, TooManyPieces } from './small-pieces.ts';

// An import of the module would also load its lazy exports, an HTTP client among them, and slow the start.
const { IncomingMessage } = process.getBuiltinModule('node:http');

/** The rests of bodies take turns with what workspaces do, all of them as one. */
const RESTS = '#rests';

/** The maximum size of the rest of a body after its answer, in bytes: more than the largest body that is accepted. */
const MAX_REST = 4 * 1_048_576;

/** What each text of the headers takes in memory besides its characters, in bytes. */
const HEADER_TEXT = 64;

/**
 * A request whose body must arrive in pieces of reasonable size. Otherwise it is answered with 400, if nothing has been
 * answered yet, and the connection is closed.
 */
export class BoundedRequest extends IncomingMessage {
  /** The number of bytes that may still arrive; unbounded before the answer, when the readers of bodies have their own limits. */
  #rest = Number.POSITIVE_INFINITY;
  #arrived = 0;
  #isRefused = false;
  #hasBegun = false;
  #whole: (() => void) | undefined;

  /** Calls back when the last byte of its body has arrived, read or not. */
  whenWhole(callback: () => void): void {
    this.#whole = callback;
  }

  /** Has its headers count as what has arrived, until its body is whole. */
  holdHeaders(): void {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = this.headers;
    if (length === '0' && coding === undefined) return;
    this.once('close', () => arrivingInput.remove(this));
    arrivingInput.add(this, weigh(this.rawHeaders) + (this.url ?? '').length);
  }

  /** Called by Node with each piece, and with null at the end. */
  override push(piece: Buffer | null): boolean {
    // Node goes on until the end of the bytes that it has read.
    if (this.#isRefused) return false;
    if (piece !== null && !this.#accepts(piece)) return this.#refuse();
    if (piece === null) this.#end();
    else this.#hold(piece);
    return super.push(piece);
  }

  /** Whether the rest of the body may be longer than what is read after an answer. */
  get mayBeTooLong(): boolean {
    if (this.complete) return false;
    const { 'content-length': length, 'transfer-encoding': coding } = this.headers;
    return coding !== undefined || Number(length) > MAX_REST;
  }

  /**
   * Reads the rest of the body after the answer, within bounds, since many clients send all of it before they read.
   * Node's own way has no bounds, and takes up to two megabytes of each connection in one turn of the event loop.
   *
   * @param milliseconds the time until the connection is closed
   */
  discardRest(milliseconds: number): void {
    this.#rest = MAX_REST;
    arrivingInput.remove(this);
    const timeout = setTimeout(() => this.socket.destroy(), milliseconds).unref();
    this.once('close', () => clearTimeout(timeout));
    const discard = (): void => void takeTurn(RESTS).then(() => this.read());
    // A turn that comes at once would have more read in the same turn of the event loop.
    this.on('readable', () => void setImmediate(discard));
    // Before that Node takes it for a body that nobody reads, and goes its own way. To read nothing would not do where much has arrived.
    this.read();
  }

  /** Until the body is whole: most are so with their first piece. */
  #hold({ length }: Buffer): void {
    if (Number.isFinite(this.#rest)) return;
    this.#arrived += length;
    if (Number(this.headers['content-length']) === this.#arrived) return;
    arrivingInput.add(this, length);
  }

  #end(): void {
    arrivingInput.remove(this);
    this.#whole?.();
  }

  #accepts({ length }: Buffer): boolean {
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    this.#rest -= length;
    // A body that comes in one piece is as small as it is.
    return (isFirst || bodyPiecesOf(this.socket).accept(length)) && this.#rest >= 0;
  }

  #refuse(): false {
    this.#isRefused = true;
    const isAnswered = Number.isFinite(this.#rest);
    if (!isAnswered) replyToUnreadable(new TooManyPieces('SMALL_PIECES'), this.socket);
    skipPieces(this.socket);
    // Unless what was asked is still to be answered, which ends the connection then.
    if (isAnswered || !this.socket.writable) this.socket.destroySoon();
    return false;
  }
}

function weigh(texts: readonly string[]): number {
  let bytes = HEADER_TEXT * texts.length;
  for (const text of texts) bytes += text.length;
  return bytes;
}

/** Node's parser of a connection, which calls its own functions by number. */
type Parser = Record<number, unknown>;

/** The number of the function that receives the pieces of bodies. */
const ON_BODY = 3;

/**
 * Spares the buffers and calls for the rest of the bytes that Node has read, up to 64 KiB at a time; nothing documented stops a
 * parser. It gets its function back before it can serve another connection.
 */
function skipPieces({ parser }: Socket & { parser?: Parser | null }): void {
  const onBody = parser?.[ON_BODY];
  if (parser === undefined || parser === null || typeof onBody !== 'function') return;
  parser[ON_BODY] = undefined;
  setImmediate(() => (parser[ON_BODY] = onBody));
}

/** Bounds what is held of requests whose bodies are not complete, and the rest of those that have been answered. */
export function boundBodies(
  server: Server<typeof BoundedRequest, typeof ServerResponse<BoundedRequest>>,
  milliseconds: number,
): void {
  server.prependListener('request', (request, response) => {
    request.holdHeaders();
    if (request.mayBeTooLong) announceEnd(request, response);
    // Before Node's own listener, which leaves a body alone that is being read.
    response.prependOnceListener('finish', () => {
      if (request.complete) return;
      if (response.shouldKeepAlive || closeAfterRest(request)) request.discardRest(milliseconds);
    });
  });
}

/**
 * Has an early answer say that the connection is closed where it may have to be. A proxy that has sent the whole body would send
 * somebody else's next request on it.
 */
function announceEnd(request: BoundedRequest, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = (...head: unknown[]) => {
    if (request.mayBeTooLong) response.shouldKeepAlive = false;
    return writeHead(...head);
  };
}

/**
 * Has Node close the connection only after the rest of the body: closed with bytes that nobody has read, it would be reset, and the answer
 * lost.
 *
 * @returns whether the rest can be read; otherwise Node closes it at once
 */
function closeAfterRest(request: BoundedRequest): boolean {
  const { socket } = request;
  if (!awaitRest(socket)) return false;
  const close = socket.destroySoon.bind(socket);
  socket.destroySoon = () => void (socket.destroySoon = close);
  request.once('end', close);
  return true;
}
