/**
 * A bounded number of keys, each of a holder (a workspace). When there are more, the holder that has the most forgets the one of
 * its own that it has not used for longest: however many keys others have, a holder keeps as many as it would if all had as many.
 * Each call costs the same, however many keys and holders there are.
 *
 * @example
 * const memory = new FairMemory(10_000);
 * memory.remember(digest, workspaceId);
 * memory.find(digest); // workspaceId
 */
export class FairMemory {
  readonly #most: number;
  readonly #holders = new Map<string, string>();
  /** By holder, the key first that was not used for longest. */
  readonly #keys = new Map<string, Set<string>>();
  /** At each place the holders with one key more than its number. */
  readonly #byCount: Set<string>[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  remember(key: string, holder: string): void {
    this.forget(key);
    const keys = this.#keys.get(holder) ?? new Set();
    this.#keys.set(holder, keys);
    this.#holders.set(key, holder);
    keys.add(key);
    this.#move(holder, keys.size - 1, keys.size);
    if (this.#holders.size > this.#most) this.#forgetOne();
  }

  /** The holder of a key, which is used with that; undefined where it is not remembered. */
  find(key: string): string | undefined {
    const holder = this.#holders.get(key);
    const keys = holder === undefined ? undefined : this.#keys.get(holder);
    if (holder === undefined || keys === undefined) return undefined;
    keys.delete(key);
    keys.add(key);
    this.#move(holder, keys.size, keys.size);
    return holder;
  }

  forget(key: string): void {
    const holder = this.#holders.get(key);
    const keys = holder === undefined ? undefined : this.#keys.get(holder);
    if (holder === undefined || keys === undefined) return;
    this.#holders.delete(key);
    keys.delete(key);
    if (keys.size === 0) this.#keys.delete(holder);
    this.#move(holder, keys.size + 1, keys.size);
  }

  /** Of several that have the most, the one that came to have as many, or used one, before the others. */
  #forgetOne(): void {
    const [holder = ''] = this.#byCount.at(-1) ?? [];
    const [key = ''] = this.#keys.get(holder) ?? [];
    this.forget(key);
  }

  #move(holder: string, from: number, to: number): void {
    this.#byCount[from - 1]?.delete(holder);
    if (to > 0) (this.#byCount[to - 1] ??= new Set()).add(holder);
    while (this.#byCount.at(-1)?.size === 0) this.#byCount.pop();
  }
}
