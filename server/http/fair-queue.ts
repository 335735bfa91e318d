/** The share that a waiting item counts towards. Holders take turns, and so do the parts of each holder. */
export interface Share {
  holder: string;
  part: string;
}

/** A queue of waiting items. The items of one part leave in order; other shares wait for only one of them at a time. */
export class FairQueue<Item> {
  /** By holder and part; after its turn, each goes to the end. */
  readonly #holders = new Map<string, Map<string, Item[]>>();

  get isEmpty(): boolean {
    return this.#holders.size === 0;
  }

  push({ holder, part }: Share, item: Item): void {
    const parts = this.#holders.get(holder) ?? new Map<string, Item[]>();
    this.#holders.set(holder, parts);
    const items = parts.get(part);
    if (items === undefined) parts.set(part, [item]);
    else items.push(item);
  }

  /** Removes and returns the next item; undefined if there is none. */
  shift(): Item | undefined {
    for (const [holder, parts] of this.#holders) {
      for (const [part, items] of parts) {
        const item = items.shift();
        moveToEnd(parts, part, items, items.length === 0);
        moveToEnd(this.#holders, holder, parts, parts.size === 0);
        return item;
      }
    }
    return undefined;
  }
}

function moveToEnd<Value>(map: Map<string, Value>, key: string, value: Value, isEmpty: boolean): void {
  map.delete(key);
  if (!isEmpty) map.set(key, value);
}
