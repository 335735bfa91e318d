/** The place of an item in a chain. */
export interface Link<Item> {
  readonly item: Item;
  before: Link<Item> | undefined;
  after: Link<Item> | undefined;
}

/**
 * Items in the order in which they came. Each can be taken out from anywhere in constant time, also the first, of which a `Set`
 * would go through the gaps that earlier ones left.
 */
export class Chain<Item> {
  #first: Link<Item> | undefined;
  #last: Link<Item> | undefined;

  /** The item that has been here longest. */
  get first(): Item | undefined {
    return this.#first?.item;
  }

  add(item: Item): Link<Item> {
    const link: Link<Item> = { item, before: this.#last, after: undefined };
    if (this.#last === undefined) this.#first = link;
    else this.#last.after = link;
    this.#last = link;
    return link;
  }

  /** @param link one of this chain, that was not removed before */
  remove({ before, after }: Link<Item>): void {
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
  }
}
