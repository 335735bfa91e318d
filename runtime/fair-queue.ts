/** How many shares that had no turn lately come before one that had, while that one waits. */
const FRESH_IN_A_ROW = 8;

/**
 * A queue of waiting items, each with the path of shares that it counts towards, the widest first. The widest shares take
 * turns, and so do the narrower ones within each; items of the same path leave in order. A share that comes back before the others had
 * their turns waits for these. One that did not come for as long is next: who asks for less than its turn waits for few, however many
 * others wait.
 */
export class FairQueue<Item> {
  readonly #items: Item[] = [];
  /** Those that had no turn since all others had one, the first to come first. Each has items. */
  readonly #fresh = new Map<string, FairQueue<Item>>();
  /** The others: after its turn each goes to the end, and is forgotten if it has no items when its next one comes. */
  readonly #rest = new Map<string, FairQueue<Item>>();
  #freshInARow = 0;
  /** Of all items, those of shares too. */
  #size = 0;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  push(path: readonly string[], item: Item): void {
    const [share, ...narrower] = path;
    this.#size += 1;
    if (share === undefined) this.#items.push(item);
    else this.#partOf(share).push(narrower, item);
  }

  #partOf(share: string): FairQueue<Item> {
    const known = this.#rest.get(share) ?? this.#fresh.get(share);
    if (known !== undefined) return known;
    const part = new FairQueue<Item>();
    this.#fresh.set(share, part);
    return part;
  }

  /** Returns the next item; undefined if there is none. */
  peek(): Item | undefined {
    const next = this.#findNext();
    return next === undefined ? this.#items[0] : next.part.peek();
  }

  /** Removes and returns the next item; undefined if there is none. */
  shift(): Item | undefined {
    if (this.isEmpty) return undefined;
    this.#size -= 1;
    const next = this.#findNext();
    if (next === undefined) return this.#items.shift();
    const { share, part, from } = next;
    const item = part.shift();
    this.#freshInARow = from === this.#fresh ? this.#freshInARow + 1 : 0;
    from.delete(share);
    this.#rest.set(share, part);
    this.#forgetTurns();
    return item;
  }

  #findNext(): { share: string; part: FairQueue<Item>; from: Map<string, FairQueue<Item>> } | undefined {
    for (const [share, part] of this.#rest) {
      if (!part.isEmpty) break;
      this.#rest.delete(share);
    }
    const isForRest = this.#fresh.size === 0 || (this.#freshInARow >= FRESH_IN_A_ROW && this.#rest.size > 0);
    const from = isForRest ? this.#rest : this.#fresh;
    const [next] = from;
    return next === undefined ? undefined : { share: next[0], part: next[1], from };
  }

  /** Where nobody waits, nobody is to wait for others. */
  #forgetTurns(): void {
    if (this.isEmpty) this.#rest.clear();
  }

  /** Removes an item that has not left yet. Returns whether there was one. */
  remove([share, ...narrower]: readonly string[], item: Item): boolean {
    const isRemoved = share === undefined ? this.#removeOwn(item) : this.#removeOf(share, narrower, item);
    if (isRemoved) this.#size -= 1;
    this.#forgetTurns();
    return isRemoved;
  }

  #removeOwn(item: Item): boolean {
    const index = this.#items.indexOf(item);
    if (index === -1) return false;
    this.#items.splice(index, 1);
    return true;
  }

  #removeOf(share: string, narrower: readonly string[], item: Item): boolean {
    const part = this.#rest.get(share) ?? this.#fresh.get(share);
    const isRemoved = part?.remove(narrower, item) ?? false;
    if (part?.isEmpty === true) this.#fresh.delete(share);
    return isRemoved;
  }
}
