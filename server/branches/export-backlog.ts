import { setTimeout as delay } from 'node:timers/promises';
import type { GiveBack } from '@branchline/runtime';
import { ScratchFile } from '../storage/scratch-file.ts';
import { ExportBrokenOff } from './export-broken-off.ts';

/** The sizes of the memory buffer, of a sent chunk and of one file. */
const MEMORY_BYTES = 256 * 1_024;
const PIECE_BYTES = 64 * 1_024;
export const FILE_BYTES = 8 * 1_048_576;

const LOOK_EVERY_MS = 100;

export interface BacklogOptions {
  /** The folder of its files. */
  folder: string;
  /** The slot for its first file, held until it is closed. */
  place: GiveBack;
  /** Takes a slot for another file; undefined if there is none. */
  morePlace: () => GiveBack | undefined;
  /** Whether the disk has room for another file. */
  hasRoom: () => Promise<boolean>;
  /** How long to wait for a slot and for room, in milliseconds. */
  roomMs: number;
  /** Called with a failure that comes while nobody waits in {@link ExportBacklog.take}, which may be long before its next call. */
  breakOff: (error: unknown) => void;
  /** Milliseconds of any clock that only goes forward. */
  now: () => number;
}

/**
 * The part of an export that has been read but not sent, first in, first out: a little in memory, the rest in files, each of
 * which is deleted after it is sent.
 */
export class ExportBacklog {
  readonly #options: BacklogOptions;
  readonly #places: GiveBack[];
  readonly #inMemory: Uint8Array[] = [];
  readonly #files: ScratchFile[] = [];
  #bytesInMemory = 0;
  #state: 'growing' | 'whole' | 'closed' = 'growing';
  #failure: unknown;
  #isBeingTaken = false;
  #filling: Promise<void> | undefined;
  #changed = Promise.withResolvers<void>();

  constructor(options: BacklogOptions) {
    this.#options = options;
    this.#places = [options.place];
  }

  /** Whether any of it lies on the disk. */
  get isOnDisk(): boolean {
    return this.#files.length > 0;
  }

  /** Reads all of `body` at its own speed, or until the backlog is closed. Its errors are those of {@link fail}. */
  fill(body: AsyncIterable<string>): void {
    this.#filling = this.#takeIn(body);
  }

  /**
   * Returns the next bytes, as soon as there are any; undefined after the last.
   *
   * @throws the error that it failed with, even if earlier bytes are left
   */
  async take(): Promise<Uint8Array | undefined> {
    this.#isBeingTaken = true;
    try {
      const bytes = await this.#next();
      if (this.#failure !== undefined) throw this.#failure;
      return bytes;
    } finally {
      this.#isBeingTaken = false;
    }
  }

  /** Gives up: releases everything that is held, at once, whatever its client takes. */
  async fail(error: unknown): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#failure = error ?? new Error('The export failed.');
    if (this.#isBeingTaken) this.#notify();
    else this.#options.breakOff(this.#failure);
    await this.#release();
  }

  /** Ends the body and releases everything that is held. */
  async close(): Promise<void> {
    this.#state = 'closed';
    await this.#filling;
    await this.#release();
  }

  async #release(): Promise<void> {
    this.#inMemory.length = 0;
    await Promise.allSettled(this.#files.splice(0).map((file) => file.close()));
    for (const giveBack of this.#places.splice(0)) giveBack();
  }

  async #next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const fromMemory = this.#inMemory.shift();
      if (fromMemory !== undefined) {
        this.#bytesInMemory -= fromMemory.length;
        return fromMemory;
      }
      const [file] = this.#files;
      if (file !== undefined && file.bytesUnread > 0) return file.read(PIECE_BYTES);
      if (file !== undefined && (file.bytesWritten >= FILE_BYTES || this.#state !== 'growing')) {
        await this.#closeFirst(file);
      } else if (this.#state !== 'growing') return undefined;
      else await this.#changed.promise;
    }
  }

  async #takeIn(body: AsyncIterable<string>): Promise<void> {
    try {
      for await (const text of body) {
        await this.#add(Buffer.from(text));
        if (this.#state === 'closed') return;
        this.#notify();
      }
      if (this.#state === 'growing') this.#state = 'whole';
    } catch (error) {
      await this.fail(error);
    }
    this.#notify();
  }

  async #add(bytes: Uint8Array): Promise<void> {
    if (this.#files.length === 0 && this.#bytesInMemory < MEMORY_BYTES) {
      this.#inMemory.push(bytes);
      this.#bytesInMemory += bytes.length;
      return;
    }
    for (let from = 0; from < bytes.length;) {
      const file = await this.#fileWithRoom();
      if (file === undefined) return;
      const to = from + FILE_BYTES - file.bytesWritten;
      await file.append(bytes.subarray(from, to));
      from = to;
    }
  }

  /** Undefined if the backlog is closed. */
  async #fileWithRoom(): Promise<ScratchFile | undefined> {
    const last = this.#files.at(-1);
    if (last !== undefined && last.bytesWritten < FILE_BYTES) return last;
    const since = this.#options.now();
    while (!(await this.#hasRoom())) {
      if (this.#state === 'closed') return undefined;
      if (this.#options.now() - since > this.#options.roomMs) {
        throw new ExportBrokenOff('it may take no more of the disk, and its client takes it too slowly');
      }
      await delay(LOOK_EVERY_MS, undefined, { ref: false });
    }
    const file = await ScratchFile.open(this.#options.folder);
    this.#files.push(file);
    if (this.#state !== 'closed') return file;
    await this.#release();
    return undefined;
  }

  /** Whether there are a slot and room for another file. */
  async #hasRoom(): Promise<boolean> {
    if (this.#state === 'closed') return false;
    const place = this.#places.length > this.#files.length ? undefined : this.#options.morePlace();
    if (place !== undefined) this.#places.push(place);
    return this.#places.length > this.#files.length && this.#options.hasRoom();
  }

  async #closeFirst(file: ScratchFile): Promise<void> {
    this.#files.shift();
    // One slot stays reserved for the next file.
    if (this.#places.length > Math.max(1, this.#files.length)) this.#places.pop()?.();
    await file.close();
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
