import { Chain, type Link } from './chain.ts';

/** The connections of one network that wait. */
class Party<Item> {
  /** Those that give way first, and the rest. */
  readonly first = new Chain<Item>();
  readonly rest = new Chain<Item>();
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
  readonly items: Chain<Item>;
  readonly link: Link<Item>;
}

/** Connections that wait, by network. Whatever is done with them takes constant time, however many there are. */
export class WaitingConnections<Item> {
  readonly #parties = new Map<string, Party<Item>>();
  /** The networks with 1, 2, 3 … of them. */
  readonly #bySize: Chain<Party<Item>>[] = [];
  #most = 0;

  /** @param as whether it gives way before the rest of its network; defaults to the rest */
  add(network: string, item: Item, as: 'first' | 'rest' = 'rest'): Waiting<Item> {
    const party = this.#parties.get(network) ?? new Party<Item>(network);
    this.#parties.set(network, party);
    this.#resize(party, party.size + 1);
    const items = party[as];
    return { party, items, link: items.add(item) };
  }

  remove({ party, items, link }: Waiting<Item>): void {
    items.remove(link);
    this.#resize(party, party.size - 1);
    if (party.size === 0) this.#parties.delete(party.network);
  }

  /** Of the network that has most, the one that gives way first: the one that has waited longest. */
  get nextOfMost(): Item | undefined {
    return nextOf(this.#bySize[this.#most]?.first);
  }

  /** Of those of a network that give way first, the one that has waited longest. */
  firstOf(network: string): Item | undefined {
    return this.#parties.get(network)?.first.first;
  }

  nextOf(network: string): Item | undefined {
    return nextOf(this.#parties.get(network));
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

function nextOf<Item>(party: Party<Item> | undefined): Item | undefined {
  return party?.first.first ?? party?.rest.first;
}
