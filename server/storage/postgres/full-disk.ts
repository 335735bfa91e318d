/** How long a disk counts as full after a failed write: only other writes can show whether there is room again. */
const FULL_FOR_MS = 5_000;

const POSTGRES_DISK_FULL = '53100';

/** Remembers whether the disk was full recently, since reads still succeed and would not show it. */
export class FullDisk {
  readonly #now: () => number;
  #fullUntil = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds of any monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** @param error the error of any failed operation */
  learnFrom(error: unknown): void {
    if (isDiskFull(error)) this.#fullUntil = this.#now() + FULL_FOR_MS;
  }

  /** @throws Error while the disk counts as full */
  check(): void {
    if (this.#now() < this.#fullUntil) throw new Error("The database's disk is full.");
  }
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === POSTGRES_DISK_FULL;
}
