import { HttpError } from '../http/http-error.ts';
import { FairShare } from '../storage/fair-share.ts';
import { ExportBacklog, FILE_BYTES } from './export-backlog.ts';

export interface ExportSpoolOptions {
  /** The folder of its files. */
  folder: string;
  /** The maximum disk space of all exports together. */
  bytes: number;
  /** How long an export waits for its first slot, and for each further one, in milliseconds. Defaults to 10,000. */
  waitMs?: number;
  /** How long a client may take for one export, in milliseconds. Defaults to one hour. */
  longestMs?: number;
  /** Milliseconds of any clock that only goes forward. Defaults to that of the process. */
  now?: () => number;
}

/**
 * Reads exports at the server's speed, however slow their clients are: what a client has not read yet waits
 * on disk. Workspaces share the disk: each gets at most half of it, and some is reserved for workspaces without an export.
 */
export class ExportSpool {
  readonly #folder: string;
  readonly #places: FairShare;
  readonly #waitMs: number;
  readonly #longestMs: number;
  readonly #now: () => number;

  constructor({
    folder,
    bytes,
    waitMs = 10_000,
    longestMs = 3_600_000,
    now = () => performance.now(),
  }: ExportSpoolOptions) {
    const files = Math.max(2, Math.floor(bytes / FILE_BYTES));
    this.#folder = folder;
    this.#places = new FairShare({ total: files, perHolder: Math.ceil(files / 2) });
    this.#waitMs = waitMs;
    this.#longestMs = longestMs;
    this.#now = now;
  }

  /**
   * Returns the bytes of `body` at the client's speed. Errors of `body` are thrown here, too, even before older bytes: an export
   * that can't be complete is broken off at once.
   *
   * @throws HttpError (503, on reading the first bytes) if running exports take all room of the workspace
   */
  async *pass(workspaceId: string, body: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
    const place = await this.#places.take(workspaceId, { waitMs: this.#waitMs });
    if (place === undefined) {
      const sentence = 'Too many exports are under way. Try again when those of this workspace have ended.';
      throw new HttpError(503, sentence, { 'retry-after': '10' });
    }
    const began = this.#now();
    const backlog = new ExportBacklog({
      folder: this.#folder,
      place,
      morePlace: () => this.#places.tryTake(workspaceId),
      roomMs: this.#waitMs,
      now: this.#now,
    });
    try {
      backlog.fill(body);
      for (;;) {
        const bytes = await backlog.take();
        if (bytes === undefined) return;
        yield bytes;
        if (this.#now() - began > this.#longestMs) {
          throw new Error(`An export was broken off: its client took longer than ${this.#longestMs / 1_000} seconds.`);
        }
      }
    } finally {
      await backlog.close();
    }
  }
}
