import { Chain, type Link } from './chain.ts';

/** How much more one holder may have than the one that {@link HeldBytes.findLargest} finds; in bytes. */
export const STEP = 4_096;

interface Held<Item> {
  readonly holder: Holder<Item>;
  /** Among the items of its holder. */
  readonly link: Link<Item>;
  bytes: number;
}

interface Holder<Item> {
  readonly name: string;
  /** By their age, the oldest first. */
  readonly items: Chain<Item>;
  bytes: number;
  /** Among the holders that have as many steps. */
  link: Link<Holder<Item>> | undefined;
}

/**
 * What is held in memory for holders, such as the bytes that their clients have not taken yet. Whatever is done takes constant time, however
 * many holders and items there are: each of thousands of clients may be one.
 */
export class HeldBytes<Item> {
  readonly #items = new Map<Item, Held<Item>>();
  readonly #holders = new Map<string, Holder<Item>>();
  /** The holders of 0, 1, 2 … whole steps. */
  readonly #bySteps: Chain<Holder<Item>>[] = [];
  /** No holder has more steps. */
  #mostSteps = 0;
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
    const held = this.#items.get(item) ?? this.#begin(holder, item);
    held.bytes += bytes;
    this.#resize(held.holder, bytes);
  }

  /** Nothing is held of it any more. */
  remove(item: Item): void {
    const held = this.#items.get(item);
    if (held === undefined) return;
    const { holder } = held;
    this.#items.delete(item);
    holder.items.remove(held.link);
    this.#resize(holder, -held.bytes);
    if (holder.items.first !== undefined) return;
    this.#holders.delete(holder.name);
    if (holder.link !== undefined) this.#ofSteps(holder).remove(holder.link);
  }

  /** The item of a holder that has been held longest; undefined if there is none. */
  findOldestOf(holder: string): Item | undefined {
    return this.#holders.get(holder)?.items.first;
  }

  /** The holder of most, but for less than a {@link STEP}; an empty text if there is none. */
  findLargest(): string {
    // How far it goes down it has come up before, a step for each that was added.
    while (this.#mostSteps > 0 && this.#bySteps[this.#mostSteps]?.first === undefined) this.#mostSteps -= 1;
    return this.#bySteps[this.#mostSteps]?.first?.name ?? '';
  }

  #begin(name: string, item: Item): Held<Item> {
    const holder = this.#holders.get(name) ?? { name, items: new Chain<Item>(), bytes: 0, link: undefined };
    this.#holders.set(name, holder);
    const held = { holder, link: holder.items.add(item), bytes: 0 };
    this.#items.set(item, held);
    return held;
  }

  #resize(holder: Holder<Item>, bytes: number): void {
    if (holder.link !== undefined) this.#ofSteps(holder).remove(holder.link);
    holder.bytes += bytes;
    this.#total += bytes;
    holder.link = this.#ofSteps(holder).add(holder);
    this.#mostSteps = Math.max(this.#mostSteps, stepsOf(holder.bytes));
  }

  #ofSteps({ bytes }: Holder<Item>): Chain<Holder<Item>> {
    return (this.#bySteps[stepsOf(bytes)] ??= new Chain());
  }
}

function stepsOf(bytes: number): number {
  return Math.floor(bytes / STEP);
}
