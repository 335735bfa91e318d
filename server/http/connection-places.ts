import type { Socket } from 'node:net';
import { type Waiting, WaitingConnections } from './waiting-connections.ts';

/** A connection that is open. */
export interface Place {
  readonly socket: Socket;
  readonly network: string;
  /** How many of its requests are here whole, and not answered yet. */
  underWay: number;
  /** Whether the body of its last request is not here whole. */
  isArriving: boolean;
  isOpen: boolean;
  /** Where it waits while nothing is under way. */
  waits: { among: WaitingConnections<Place>; as: Waiting<Place> } | undefined;
}

/** The connections of a server, and which of them gives way to one too many. Each change takes constant time. */
export class ConnectionPlaces {
  readonly #most: number;
  /** How many connections a network has. */
  readonly #networks = new Map<string, number>();
  #taken = 0;
  /** Those that never asked for anything. */
  readonly #silent = new WaitingConnections<Place>();
  /** Those whose requests are answered. */
  readonly #idle = new WaitingConnections<Place>();
  /** Those that have yet to send the rest of a body. */
  readonly #arriving = new WaitingConnections<Place>();

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#taken >= this.#most;
  }

  enter(socket: Socket, network: string): Place {
    const place: Place = { socket, network, underWay: 0, isArriving: false, isOpen: true, waits: undefined };
    this.#taken += 1;
    this.#networks.set(network, this.#countOf(network) + 1);
    this.#wait(place, this.#silent);
    return place;
  }

  leave(place: Place): void {
    if (!place.isOpen) return;
    place.isOpen = false;
    const left = this.#countOf(place.network) - 1;
    this.#taken -= 1;
    if (left > 0) this.#networks.set(place.network, left);
    else this.#networks.delete(place.network);
    this.#stopWaiting(place);
  }

  /** A request has come, without the whole of its body. */
  arrives(place: Place): void {
    place.isArriving = true;
    if (place.underWay === 0) this.#wait(place, this.#arriving);
  }

  /** A request has come whole. */
  begins(place: Place): void {
    place.isArriving = false;
    place.underWay += 1;
    this.#stopWaiting(place);
  }

  /** The answer to a request has ended. */
  ends(place: Place): void {
    place.underWay -= 1;
    if (place.underWay === 0) this.#wait(place, place.isArriving ? this.#arriving : this.#idle);
  }

  /**
   * Returns who gives way to a connection of this network: first of all one that never asked for anything, whosever it is. Others
   * do for a network that still has no more than theirs then, or for their own; and only then for one that has one less.
   */
  givesWayTo(network: string): Place | undefined {
    return this.#silent.oldestOfMost ?? this.#findFor(network, 2) ?? this.#findFor(network, 1);
  }

  /** @param fewer how many connections less a network has that others give way to */
  #findFor(network: string, fewer: number): Place | undefined {
    for (const waiting of [this.#idle, this.#arriving]) {
      const oldest = waiting.oldestOfMost;
      const isOfLarger = oldest !== undefined && this.#countOf(oldest.network) >= this.#countOf(network) + fewer;
      const found = isOfLarger ? oldest : waiting.oldestOf(network);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #countOf(network: string): number {
    return this.#networks.get(network) ?? 0;
  }

  #wait(place: Place, among: WaitingConnections<Place>): void {
    this.#stopWaiting(place);
    // Its answers may end after it.
    if (place.isOpen) place.waits = { among, as: among.add(place.network, place) };
  }

  #stopWaiting(place: Place): void {
    place.waits?.among.remove(place.waits.as);
    place.waits = undefined;
  }
}
