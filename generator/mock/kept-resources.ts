/** What a client has made. */
export type Resource = Record<string, unknown>;

/** What is kept at most, of all collections together. */
export interface Bounds {
  resources: number;
  /** In UTF-16 units of the JSON of all, with their paths. */
  size: number;
}

/** In memory they take up to twenty times as much. */
const BOUNDS: Bounds = { resources: 10_000, size: 16 * 1024 * 1024 };

interface Kept {
  collection: string;
  id: string;
  resource: Resource;
  size: number;
}

/** Resources by the path of their collection and their id. When there are too many, those go that were written longest ago. */
export class KeptResources {
  readonly #bounds: Bounds;
  readonly #collections = new Map<string, Map<string, Kept>>();
  /** What was written longest ago comes first. */
  readonly #all = new Set<Kept>();
  #size = 0;

  constructor(bounds: Bounds = BOUNDS) {
    this.#bounds = bounds;
  }

  get(collection: string, id: string): Resource | undefined {
    return this.#collections.get(collection)?.get(id)?.resource;
  }

  /** In the order in which they were made. */
  list(collection: string): Resource[] {
    return [...(this.#collections.get(collection)?.values() ?? [])].map(({ resource }) => resource);
  }

  set(collection: string, id: string, resource: Resource): void {
    const size = collection.length + id.length + JSON.stringify(resource).length;
    const kept: Kept = { collection, id, resource, size };
    const standing = this.#collections.get(collection) ?? new Map<string, Kept>();
    const before = standing.get(id);
    if (before !== undefined) this.#forget(before);
    standing.set(id, kept);
    this.#collections.set(collection, standing);
    this.#all.add(kept);
    this.#size += size;
    this.#makeRoom();
  }

  delete(collection: string, id: string): void {
    const standing = this.#collections.get(collection);
    const kept = standing?.get(id);
    if (standing === undefined || kept === undefined) return;
    this.#forget(kept);
    standing.delete(id);
    if (standing.size === 0) this.#collections.delete(collection);
  }

  #forget(kept: Kept): void {
    this.#all.delete(kept);
    this.#size -= kept.size;
  }

  #makeRoom(): void {
    for (const { collection, id } of this.#all) {
      if (this.#all.size <= this.#bounds.resources && this.#size <= this.#bounds.size) return;
      this.delete(collection, id);
    }
  }
}
