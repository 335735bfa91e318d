/**
 * A queue of waiting items, each with the path of shares that it counts towards, the widest first. The widest shares take
 * turns, and so do the narrower ones within each; items of the same path leave in order.
 */
export class FairQueue<Item> {
  readonly #items: Item[] = [];
  /** After its turn, each goes to the end. */
  readonly #parts = new Map<string, FairQueue<Item>>();

  get isEmpty(): boolean {
    return this.#items.length === 0 && this.#parts.size === 0;
  }

  push([share, ...narrower]: readonly string[], item: Item): void {
    if (share === undefined) {
      this.#items.push(item);
      return;
    }
    const part = this.#parts.get(share) ?? new FairQueue<Item>();
    this.#parts.set(share, part);
    part.push(narrower, item);
  }

  /** Returns the next item; undefined if there is none. */
  peek(): Item | undefined {
    const [part] = this.#parts.values();
    return part === undefined ? this.#items[0] : part.peek();
  }

  /** Removes and returns the next item; undefined if there is none. */
  shift(): Item | undefined {
    const [next] = this.#parts;
    if (next === undefined) return this.#items.shift();
    const [share, part] = next;
    const item = part.shift();
    this.#parts.delete(share);
    if (!part.isEmpty) this.#parts.set(share, part);
    return item;
  }

  /** Removes an item that has not left yet. */
  remove([share, ...narrower]: readonly string[], item: Item): void {
    if (share === undefined) {
      const index = this.#items.indexOf(item);
      if (index !== -1) this.#items.splice(index, 1);
      return;
    }
    const part = this.#parts.get(share);
    part?.remove(narrower, item);
    if (part?.isEmpty === true) this.#parts.delete(share);
  }
}
