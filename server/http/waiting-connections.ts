import { Chain, type Link } from './chain.ts';

/** The connections of one network that wait. */
class Party<Item> {
  readonly items = new Chain<Item>();
  readonly network: string;
  size = 0;
  /** Among the networks that have as many. */
  link: Link<Party<Item>> | undefined;

  constructor(network: string) {
    this.network = network;
  }
}

/** By which an item is taken out of {@link WaitingConnections} again. */
export interface Waiting<Item> {
  readonly party: Party<Item>;
  readonly link: Link<Item>;
}

/** Connections that wait, by network. Whatever is done with them takes constant time, however many there are. */
export class WaitingConnections<Item> {
  readonly #parties = new Map<string, Party<Item>>();
  /** The networks with 1, 2, 3 … of them. */
  readonly #bySize: Chain<Party<Item>>[] = [];
  #most = 0;

  add(network: string, item: Item): Waiting<Item> {
    const party = this.#parties.get(network) ?? new Party<Item>(network);
    this.#parties.set(network, party);
    this.#resize(party, party.size + 1);
    return { party, link: party.items.add(item) };
  }

  remove({ party, link }: Waiting<Item>): void {
    party.items.remove(link);
    this.#resize(party, party.size - 1);
    if (party.size === 0) this.#parties.delete(party.network);
  }

  /** Of the network that has most, the one that has waited longest. */
  get oldestOfMost(): Item | undefined {
    return this.#bySize[this.#most]?.first?.items.first;
  }

  oldestOf(network: string): Item | undefined {
    return this.#parties.get(network)?.items.first;
  }

  #resize(party: Party<Item>, size: number): void {
    if (party.link !== undefined) this.#ofSize(party.size).remove(party.link);
    party.size = size;
    party.link = size > 0 ? this.#ofSize(size).add(party) : undefined;
    // Sizes change by one: where none has as many as the most any more, this party had, and still has most.
    if (size > this.#most || this.#bySize[this.#most]?.first === undefined) this.#most = size;
  }

  #ofSize(size: number): Chain<Party<Item>> {
    return (this.#bySize[size] ??= new Chain());
  }
}
