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

/**
 * For how long a connection that has asked for nothing yet counts like one that waits, in milliseconds. What it sends first comes with
 * it, or after one more trip where it is over TLS, and is read once the event loop comes to it.
 */
const NEW_MS = 250;

export interface ConnectionPlacesOptions {
  /** How many connections may be open. */
  most: number;
  /** How many of one network. */
  mostOfNetwork: number;
  /** In milliseconds; of any clock that only goes forward. */
  clock: () => number;
}

/** The connections of a server, and which of them gives way to one too many. Each change takes constant time. */
export class ConnectionPlaces {
  readonly #most: number;
  readonly #mostOfNetwork: number;
  readonly #clock: () => number;
  /** How many connections a network has. */
  readonly #networks = new Map<string, number>();
  #taken = 0;
  /** Those that have asked for nothing yet since they came, a moment ago; and when they came, the oldest first. */
  readonly #new = new WaitingConnections<Place>();
  readonly #cameAt = new Map<Place, number>();
  /** Those that never asked for anything. */
  readonly #silent = new WaitingConnections<Place>();
  /** First those whose requests are answered, then those that have yet to send the rest of a body. */
  readonly #waiting = new WaitingConnections<Place>();

  constructor({ most, mostOfNetwork, clock }: ConnectionPlacesOptions) {
    this.#most = most;
    this.#mostOfNetwork = mostOfNetwork;
    this.#clock = clock;
  }

  hasRoomFor(network: string): boolean {
    return this.#taken < this.#most && this.#mayHaveMore(network);
  }

  #mayHaveMore(network: string): boolean {
    return this.#countOf(network) < this.#mostOfNetwork;
  }

  enter(socket: Socket, network: string): Place {
    const place: Place = { socket, network, underWay: 0, isArriving: false, isOpen: true, waits: undefined };
    this.#taken += 1;
    this.#networks.set(network, this.#countOf(network) + 1);
    this.#wait(place, this.#new);
    this.#cameAt.set(place, this.#clock());
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
    if (place.underWay === 0) this.#wait(place, this.#waiting);
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
    if (place.underWay === 0) this.#wait(place, this.#waiting, place.isArriving ? 'rest' : 'first');
  }

  /**
   * Returns who gives way to a connection of this network: first of all one that never asked for anything, whosever it is. Others
   * do for a network that still has no more than theirs then, or for their own; and only then, unless they are new, for one that has
   * one less. Where a network has all that it may have, only its own give way to it.
   */
  givesWayTo(network: string): Place | undefined {
    this.#noticeSilent();
    if (!this.#mayHaveMore(network)) return this.#silent.nextOf(network) ?? this.#findOwn(network);
    return this.#silent.nextOfMost ?? this.#findLarger(network) ?? this.#findOwn(network) ?? this.#findEqual(network);
  }

  /** New ones that still have asked for nothing. */
  #noticeSilent(): void {
    const came = this.#clock() - NEW_MS;
    for (const [place, at] of this.#cameAt) {
      if (at > came) return;
      this.#wait(place, this.#silent);
    }
  }

  #findLarger(network: string): Place | undefined {
    const [waiting, ofNew] = [this.#waiting.nextOfMost, this.#new.nextOfMost];
    const found = this.#countBeside(ofNew) > this.#countBeside(waiting) ? ofNew : waiting;
    return this.#countBeside(found) >= this.#countOf(network) + 2 ? found : undefined;
  }

  #findOwn(network: string): Place | undefined {
    return this.#waiting.firstOf(network) ?? this.#new.nextOf(network) ?? this.#waiting.nextOf(network);
  }

  #findEqual(network: string): Place | undefined {
    const found = this.#waiting.nextOfMost;
    return this.#countBeside(found) > this.#countOf(network) ? found : undefined;
  }

  /** How many connections the network of a place has, with this one. */
  #countBeside(place: Place | undefined): number {
    return place === undefined ? 0 : this.#countOf(place.network);
  }

  #countOf(network: string): number {
    return this.#networks.get(network) ?? 0;
  }

  #wait(place: Place, among: WaitingConnections<Place>, as: 'first' | 'rest' = 'rest'): void {
    this.#stopWaiting(place);
    // Its answers may end after it.
    if (place.isOpen) place.waits = { among, as: among.add(place.network, place, as) };
  }

  #stopWaiting(place: Place): void {
    this.#cameAt.delete(place);
    place.waits?.among.remove(place.waits.as);
    place.waits = undefined;
  }
}
