import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { postponeTurns } from '@branchline/runtime';
import { connectionBelow } from '../tls/same-port.ts';
import { countWaiting } from './accept-queue.ts';
import { FORWARDED_FOR, type IsTrusted } from './client-address.ts';
import { clientNetwork } from './client-network.ts';
import { ConnectionRates } from './connection-rates.ts';
import type { Crowding } from './crowding.ts';
import type { RequestTurns } from './request-turns.ts';

/** How often it is looked how many connections wait, in milliseconds. */
const LOOK_EVERY_MS = 10;

/** Where fewer have come in the last second or two, it is not looked. */
const MANY = 100;

/** How many that wait are accepted before any work is done, until none waits. */
const SOME = 8;

/** How many that wait are a long queue, until there are as few as in a short one. At 0.1 ms each the last waits for 25 ms. */
const QUEUE = { long: 256, short: 32 };

/** How long it takes many to come at once, in milliseconds. What waits then is accepted, however long that takes, before anybody is turned away. */
const BURST_MS = 250;

/** When nobody was turned away for this time, in milliseconds, the next time that the queue is long counts as another burst. */
const QUIET_MS = 1_000;

export interface AcceptOptions {
  /** What waits for connections to be accepted. */
  waiting: readonly Pick<RequestTurns, 'postpone'>[];
  crowding: Crowding;
  isTrusted: IsTrusted;
  /** In milliseconds; of any clock that only goes forward. Defaults to the machine's. */
  clock?: () => number;
  /** How many connections wait to be accepted. */
  countQueue?: (address: AddressInfo) => number;
}

/**
 * Makes a server accept the connections that wait for it before it does the work of new ones that waits; where some wait, before any work
 * that takes turns: the event loop accepts one in each of its turns, which take milliseconds beside such work. So the connections of a
 * client are soon open, and its requests have their own turns, however many others come.
 *
 * Where many wait, and for longer, connections come faster than they can be accepted. Then those of the networks from which most come are
 * closed before they are made, which takes a fifth of the time: the queue is one for all, and who comes seldom would wait behind them. But
 * not those of proxies, whose connections are those of many clients.
 */
export function acceptFirst(server: Server, options: AcceptOptions): void {
  const { waiting, crowding, isTrusted, clock = () => performance.now(), countQueue = countWaiting } = options;
  const pressure = new AcceptPressure(() => {
    const address = server.address();
    return address === null || typeof address === 'string' ? 0 : countQueue(address);
  });
  const proxies = new Set<string>();
  server.prependListener('request', ({ headers, socket }) => {
    const { remoteAddress = '' } = connectionBelow(socket);
    if (headers[FORWARDED_FOR] !== undefined && isTrusted(remoteAddress)) proxies.add(clientNetwork(remoteAddress));
  });
  const accept = (network: string): boolean => {
    const { hurries, turnsAway } = pressure.accept(network, clock());
    for (const turns of waiting) turns.postpone(hurries ? 'all' : 'new');
    if (hurries) postponeTurns();
    return turnsAway;
  };
  const check = (address: string): boolean => {
    const network = clientNetwork(address);
    if (!accept(network) || proxies.has(network)) return false;
    crowding.count('turned-away');
    return true;
  };
  // Where Node asks, of each connection, before it makes a socket of it.
  Object.assign(server, { blockList: { check } });
  server.prependListener('connection', (socket) => {
    if (socket.remoteAddress !== undefined) return;
    // Its client has left, so Node could not ask above.
    accept('');
    socket.destroy();
  });
}

/** Whether connections come faster than they are accepted, and from whom. */
class AcceptPressure {
  readonly #countQueue: () => number;
  readonly #rates = new ConnectionRates();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #hurries = false;
  #isLong = false;
  /** When the queue became long; undefined: it is not, and nobody was turned away lately. */
  #since: number | undefined;
  #turnedAwayAt = Number.NEGATIVE_INFINITY;
  /** How many of a burst are still to be accepted. */
  #leftOfBurst = 0;

  constructor(countQueue: () => number) {
    this.#countQueue = countQueue;
  }

  /** @param now in milliseconds */
  accept(network: string, now: number): { hurries: boolean; turnsAway: boolean } {
    this.#rates.count(network, now);
    this.#leftOfBurst -= 1;
    if (now - this.#lookedAt >= LOOK_EVERY_MS) this.#look(now);
    const turnsAway = this.#isLong && this.#leftOfBurst <= 0 && this.#rates.isMuchOf(network);
    if (turnsAway) this.#turnedAwayAt = now;
    return { hurries: this.#hurries, turnsAway };
  }

  #look(now: number): void {
    this.#lookedAt = now;
    const count = this.#rates.total < MANY ? 0 : this.#countQueue();
    this.#hurries = count > (this.#hurries ? 0 : SOME);
    this.#isLong = count > (this.#isLong ? QUEUE.short : QUEUE.long);
    const isBusy = this.#isLong || now - this.#turnedAwayAt < QUIET_MS;
    this.#since = isBusy ? (this.#since ?? now) : undefined;
    if (this.#since !== undefined && now - this.#since < BURST_MS)
      this.#leftOfBurst = Math.max(count, this.#leftOfBurst);
  }
}
