import { statfs } from 'node:fs/promises';
import { HttpError } from '../http/http-error.ts';
import { FairShare } from '@branchline/runtime';
import type { ScratchDisk } from '../storage/storage.ts';
import { ExportBrokenOff } from './export-broken-off.ts';
import { ExportBacklog, FILE_BYTES } from './export-backlog.ts';

export interface ExportSpoolOptions {
  /** Where its files lie. */
  disk: ScratchDisk;
  /** The maximum disk space of all exports together. */
  bytes: number;
  /** How long an export waits for its first slot, and for each further one, in milliseconds. Defaults to 10,000. */
  waitMs?: number;
  /** How long a client may take for one export, in milliseconds. Defaults to one hour. */
  longestMs?: number;
  /** Milliseconds of any clock that only goes forward. Defaults to that of the process. */
  now?: () => number;
  /** The free space of a folder's disk, in bytes. Defaults to what the system says. */
  freeBytes?: (folder: string) => Promise<number>;
}

/** An export, and whom it is for. */
export interface SpooledExport {
  workspaceId: string;
  body: AsyncIterable<string>;
  /** Ends the reply of an export that fails while its client takes nothing. */
  breakOff: (error: unknown) => void;
}

/**
 * Reads exports at the server's speed, however slow their clients are: what a client has not read yet waits
 * on disk. Workspaces share that space: each gets at most half of it, and some is kept for those that come. All
 * of it gives way to the database, where that has the same disk.
 */
export class ExportSpool {
  readonly #disk: ScratchDisk;
  readonly #places: FairShare;
  readonly #waitMs: number;
  readonly #longestMs: number;
  readonly #now: () => number;
  readonly #freeBytes: (folder: string) => Promise<number>;
  readonly #backlogs = new Set<ExportBacklog>();

  constructor({
    disk,
    bytes,
    waitMs = 10_000,
    longestMs = 3_600_000,
    now = () => performance.now(),
    freeBytes = askFreeBytes,
  }: ExportSpoolOptions) {
    const files = Math.max(2, Math.floor(bytes / FILE_BYTES));
    this.#disk = disk;
    this.#places = new FairShare({ total: files });
    this.#waitMs = waitMs;
    this.#longestMs = longestMs;
    this.#now = now;
    this.#freeBytes = freeBytes;
    disk.whenShort(() => this.#giveWay());
  }

  /**
   * Returns the bytes of `body` at the client's speed. An export that can't be complete is broken off at once, whatever waits: its
   * error is thrown here, too, on reading the next bytes.
   *
   * @throws HttpError (503, on reading the first bytes) if running exports take all room of the workspace
   */
  async *pass({ workspaceId, body, breakOff }: SpooledExport): AsyncGenerator<Uint8Array> {
    const place = await this.#places.take(workspaceId, { waitMs: this.#waitMs });
    if (place === undefined) {
      const sentence = 'Too many exports are under way. Try again when those of this workspace have ended.';
      throw new HttpError(503, sentence, { 'retry-after': '10' });
    }
    const began = this.#now();
    const backlog = new ExportBacklog({
      folder: this.#disk.folder,
      place,
      morePlace: () => this.#places.tryTake(workspaceId),
      hasRoom: () => this.#hasRoom(),
      roomMs: this.#waitMs,
      now: this.#now,
      breakOff,
    });
    this.#backlogs.add(backlog);
    try {
      backlog.fill(body);
      for (;;) {
        const bytes = await backlog.take();
        if (bytes === undefined) return;
        yield bytes;
        if (this.#now() - began > this.#longestMs) {
          throw new ExportBrokenOff(`its client took longer than ${this.#longestMs / 1_000} seconds`);
        }
      }
    } finally {
      this.#backlogs.delete(backlog);
      await backlog.close();
    }
  }

  async #hasRoom(): Promise<boolean> {
    const { folder, reserveBytes } = this.#disk;
    return (await this.#freeBytes(folder)) >= reserveBytes + FILE_BYTES;
  }

  /** Breaks off all exports that have files, and resolves with whether there were any. */
  async #giveWay(): Promise<boolean> {
    const onDisk = [...this.#backlogs].filter((backlog) => backlog.isOnDisk);
    const reason = new ExportBrokenOff('the database needs the room on the disk that it waits in');
    await Promise.all(onDisk.map((backlog) => backlog.fail(reason)));
    return onDisk.length > 0;
  }
}

async function askFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
