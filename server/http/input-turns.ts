import type { Socket } from 'node:net';
import { arrivingInput } from './arriving-input.ts';
import { networkOf } from './client-network.ts';
import { type InTurn, ReadingTurn } from './reading-turn.ts';
import type { RequestTurns } from './request-turns.ts';

/** How much is parsed at a time: of the smallest chunks it takes some 0.1 ms, and most requests are smaller. */
const SLICE_BYTES = 4_096;

/** For how long slices are parsed in a turn, in milliseconds: a body in large pieces has a hundred of them parsed in it. */
const TURN_MS = 0.1;

/** The turns of a connection: those in which something of it is read, and those in which the server learns of its end. */
export interface ConnectionTurns {
  read: InTurn;
  end: InTurn;
}

/** The turns of a connection that is not handed over yet. */
export interface NewConnectionTurns extends ConnectionTurns {
  /** The first one, for all that a new connection takes; in it `read` gives no other. */
  first: InTurn;
}

/** Gives turns to a connection: networks of clients take turns. */
export function inputTurns(turns: RequestTurns, socket: Socket): NewConnectionTurns {
  const share = { holder: 'requests', part: networkOf(socket) };
  let isInFirst = false;
  return {
    first: (begin) => {
      const beginInTurn = (): void => {
        isInFirst = true;
        begin();
      };
      turns.add(share, beginInTurn, 'new');
    },
    read: (read) => {
      if (!isInFirst) return turns.add(share, read);
      isInFirst = false;
      read();
    },
    end: (tell) => turns.add(share, tell, 'ended'),
  };
}

/** The same for a connection of TLS, whose handshakes take turns with all else of new connections. */
export function recordTurns(turns: RequestTurns, socket: Socket, isInHandshake: () => boolean): InTurn {
  const part = networkOf(socket);
  return (read) => {
    if (isInHandshake()) turns.add({ holder: 'handshakes', part }, read, 'new');
    else turns.add({ holder: 'requests', part }, read);
  };
}

/** What the HTTP server does at the end of a connection costs as much as a request. */
const ENDS = ['end', 'error', 'close'] as const;

/**
 * Hands a connection to the HTTP server, which then parses what arrives on it in turns, of a slice or as many as take 0.1 ms, and learns
 * of its end in turn. Node would parse all that has arrived on all connections at once, megabytes of each, and a slice of small chunks
 * costs as much as a request.
 *
 * @param serve has the server add its listeners to the connection, whose place is then taken by others
 * @param clock in milliseconds; of any clock that only goes forward. Defaults to the machine's
 */
export function handOverInTurns(
  socket: Socket,
  serve: (socket: Socket) => void,
  turns: ConnectionTurns,
  clock = () => performance.now(),
): void {
  const others = new Set(ENDS.flatMap((event) => socket.listeners(event)));
  serve(socket);
  for (const event of ENDS) {
    const listeners = socket.listeners(event).filter((listener) => !others.has(listener));
    const tell = (...told: unknown[]): void =>
      turns.end(() => {
        // The parser may be that of another connection by now.
        if (event === 'end' && !socket.writable) return;
        for (const listener of listeners) listener.apply(socket, told);
      });
    socket.on(event, tell);
    for (const listener of listeners) socket.off(event, listener as () => void);
  }
  parseInTurns(socket, turns.read, clock);
}

function parseInTurns(socket: Socket, inTurn: InTurn, clock: () => number): void {
  const parsers = socket.listeners('data');
  const turn = new ReadingTurn(inTurn, () => socket.resume());
  const left = { socket };
  // An 'end' waits until what was put back has been read.
  const putBack = (rest: Buffer): void => {
    socket.pause().unshift(rest);
    arrivingInput.add(left, rest.length);
  };
  const read = (bytes: Buffer): void => {
    arrivingInput.remove(left);
    let rest = bytes;
    let turnEnds = -Infinity;
    // Whatever else comes can't be answered, and after a CONNECT the parser may be that of another connection.
    while (rest.length > 0 && socket.writable) {
      const now = clock();
      if (now >= turnEnds) {
        if (!turn.take()) return putBack(rest);
        turnEnds = now + TURN_MS;
      }
      const slice = rest.subarray(0, SLICE_BYTES);
      rest = rest.subarray(SLICE_BYTES);
      for (const parse of parsers) parse.call(socket, slice);
      // The server has enough for now, and resumes the connection itself.
      if (rest.length > 0 && socket.isPaused()) return putBack(rest);
    }
  };
  socket.on('data', read).on('close', () => arrivingInput.remove(left));
  for (const parse of parsers) socket.off('data', parse as (bytes: Buffer) => void);
}
