/** What is held in memory for holders, such as the bytes that their clients have not taken yet. */
export class HeldBytes<Item> {
  readonly #items = new Map<Item, { holder: string; bytes: number }>();
  /** The items of each are by their age, the oldest first. */
  readonly #holders = new Map<string, { items: Set<Item>; bytes: number }>();
  #total = 0;

  /** In bytes. */
  get total(): number {
    return this.#total;
  }

  /** In bytes. */
  of(holder: string): number {
    return this.#holders.get(holder)?.bytes ?? 0;
  }

  /** Adds to what is held of an item, which is as old as its first bytes and stays with the holder of these. */
  add(holder: string, item: Item, bytes: number): void {
    const known = this.#items.get(item) ?? { holder, bytes: 0 };
    const held = this.#holders.get(known.holder) ?? { items: new Set<Item>(), bytes: 0 };
    known.bytes += bytes;
    held.bytes += bytes;
    this.#total += bytes;
    this.#items.set(item, known);
    this.#holders.set(known.holder, held);
    held.items.add(item);
  }

  /** Nothing is held of it any more. */
  remove(item: Item): void {
    const known = this.#items.get(item);
    const held = this.#holders.get(known?.holder ?? '');
    if (known === undefined || held === undefined) return;
    this.#items.delete(item);
    held.items.delete(item);
    held.bytes -= known.bytes;
    this.#total -= known.bytes;
    if (held.items.size === 0) this.#holders.delete(known.holder);
  }

  /** The item of a holder that has been held longest; undefined if there is none. */
  findOldestOf(holder: string): Item | undefined {
    const [oldest] = this.#holders.get(holder)?.items ?? [];
    return oldest;
  }

  /** The holder of most; an empty text if there is none. */
  findLargest(): string {
    let largest = '';
    for (const holder of this.#holders.keys()) if (this.of(holder) > this.of(largest)) largest = holder;
    return largest;
  }
}
