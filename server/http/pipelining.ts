import type { RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { resetConnection } from '@branchline/runtime';
import { networkOf } from './client-network.ts';

/** The maximum number of unanswered requests per connection. Hardly any client pipelines requests. */
const MOST_UNANSWERED = 32;

/**
 * The maximum number of requests that wait behind another of their connection, on all connections. Node reads all connections that
 * have something to read in one turn of the event loop, so this bounds how long that takes, and the memory.
 */
const MOST_WAITING = 512;

/** Of these, how many may be of one network, so that it leaves some to others. */
const MOST_OF_A_NETWORK = MOST_WAITING / 8;

/**
 * How long a request waits without a place behind an answer that has been written to its end, in milliseconds. Over TLS a client may have
 * read that, and ask again, before Node tells that the system has accepted it.
 */
const ALMOST_ACCEPTED_MS = 100;

/** A request that waits behind another. */
interface Waiting {
  begin: () => void;
  hasPlace: boolean;
}

/** A connection with a request that is being served. */
interface Line {
  /** The answer to that request. */
  answer: ServerResponse;
  /** Looked up when the first one waits. */
  network?: string;
  /** They begin the requests behind that, in their order. */
  readonly waiting: Waiting[];
}

/** Node's parser of a connection, as far as it is needed here. Not documented: where it is missing, more is parsed in vain. */
interface Parser {
  onIncoming?: (...request: unknown[]) => number;
}

/** What the parser is told to read nothing more of what has arrived, as behind a request for another protocol. */
const STOP = 2;

/**
 * Serves the requests of a connection one at a time: each after the system has accepted the whole previous answer, so
 * that at most one answer waits for a client that does not read. Node would start all of them on arrival and buffer their
 * answers. Closes connections with too many waiting requests: a few megabytes can contain tens of thousands.
 *
 * What comes after an answer that closes the connection is not served (RFC 9112, 9.6): its client knows that, and sends it again.
 */
export function boundPipelining(server: Server): void {
  const lines = new WeakMap<Socket, Line>();
  /** The connections that have had their last answer. */
  const answered = new WeakSet<Socket>();
  const places = new WaitingPlaces();
  const serve = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('connection', stopParsingWhenClosed);
  server.on('request', (request, response) => {
    const { socket } = request;
    if (answered.has(socket)) return;
    const known = lines.get(socket);
    const line: Line = known ?? { answer: response, waiting: [] };
    const begin = (): void => {
      line.answer = response;
      response.once('close', () => goOn(socket));
      for (const listener of serve) listener(request, response);
    };
    if (known !== undefined) return wait(socket, line, begin);
    lines.set(socket, line);
    begin();
  });

  function wait(socket: Socket, line: Line, begin: () => void): void {
    const network = (line.network ??= networkOf(socket));
    const isNext = line.waiting.length === 0 && line.answer.writableEnded;
    const hasPlace = line.waiting.length + 1 < MOST_UNANSWERED && places.take(network);
    if (!hasPlace && !isNext) return resetConnection(socket);
    const waiting = { begin, hasPlace };
    line.waiting.push(waiting);
    if (!hasPlace) setTimeout(() => requirePlace(socket, network, line, waiting), ALMOST_ACCEPTED_MS).unref();
  }

  function requirePlace(socket: Socket, network: string, line: Line, waiting: Waiting): void {
    if (!line.waiting.includes(waiting)) return;
    waiting.hasPlace = places.take(network);
    if (!waiting.hasPlace) resetConnection(socket);
  }

  function goOn(socket: Socket): void {
    const line = lines.get(socket);
    if (line !== undefined && closesConnection(line.answer)) answered.add(socket);
    const next = socket.destroyed || answered.has(socket) ? undefined : line?.waiting.shift();
    const left = next === undefined ? (line?.waiting.splice(0) ?? []) : [next];
    if (line?.network !== undefined) places.giveBack(line.network, left.filter(({ hasPlace }) => hasPlace).length);
    if (next === undefined) lines.delete(socket);
    else next.begin();
  }
}

function closesConnection(answer: ServerResponse): boolean {
  return !answer.shouldKeepAlive || answer.getHeader('connection') === 'close';
}

/** The places of requests that wait behind another of their connection. One that is given back is free in the next turn of the event loop. */
class WaitingPlaces {
  #taken = 0;
  readonly #byNetwork = new Map<string, number>();

  take(network: string): boolean {
    const own = this.#byNetwork.get(network) ?? 0;
    if (this.#taken >= MOST_WAITING || own >= MOST_OF_A_NETWORK) return false;
    this.#taken += 1;
    this.#byNetwork.set(network, own + 1);
    return true;
  }

  giveBack(network: string, count: number): void {
    if (count > 0) setImmediate(() => this.#free(network, count));
  }

  #free(network: string, count: number): void {
    const own = (this.#byNetwork.get(network) ?? 0) - count;
    this.#taken -= count;
    if (own > 0) this.#byNetwork.set(network, own);
    else this.#byNetwork.delete(network);
  }
}

/** Node would go through all that it has read already, tens of kilobytes, though the connection is closed. */
function stopParsingWhenClosed(socket: Socket & { parser?: Parser | null }): void {
  const { parser } = socket;
  const take = parser?.onIncoming;
  if (!parser || take === undefined) return;
  parser.onIncoming = (...request) => {
    const skips = take.apply(parser, request);
    return socket.destroyed ? STOP : skips;
  };
}
