/** How long a disk counts as full after a write that found it so; whether there is room again only another write can tell. */
const FULL_FOR_MS = 5_000;

const SQLITE_FULL = 13;
const POSTGRES_DISK_FULL = '53100';

/** Remembers whether writes lately found the disk full, since reads, which still succeed, would not tell. */
export class FullDisk {
  readonly #now: () => number;
  #fullUntil = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of any clock that only goes forward */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Passes on what `write` gives or throws, and learns from it. */
  async watch<Result>(write: Promise<Result>): Promise<Result> {
    try {
      const result = await write;
      this.#fullUntil = Number.NEGATIVE_INFINITY;
      return result;
    } catch (error) {
      if (isDiskFull(error)) this.#fullUntil = this.#now() + FULL_FOR_MS;
      throw error;
    }
  }

  /** @throws Error while the disk counts as full */
  check(): void {
    if (this.#now() < this.#fullUntil) throw new Error("The database's disk is full.");
  }
}

function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error && typeof error.errcode === 'number') return (error.errcode & 0xff) === SQLITE_FULL;
  return 'code' in error && error.code === POSTGRES_DISK_FULL;
}
