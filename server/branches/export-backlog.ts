import { setTimeout as delay } from 'node:timers/promises';
import type { GiveBack } from '../storage/fair-share.ts';
import { ScratchFile } from '../storage/scratch-file.ts';

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
  /** How long to wait for a slot, in milliseconds. */
  roomMs: number;
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
  #filling: Promise<void> | undefined;
  #changed = Promise.withResolvers<void>();

  constructor(options: BacklogOptions) {
    this.#options = options;
    this.#places = [options.place];
  }

  /** Reads all of `body` at its own speed, or until the backlog is closed. {@link take} throws its errors. */
  fill(body: AsyncIterable<string>): void {
    this.#filling = this.#takeIn(body);
  }

  /**
   * Returns the next bytes, as soon as there are any; undefined after the last.
   *
   * @throws the body's error, even if earlier bytes are left
   */
  async take(): Promise<Uint8Array | undefined> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
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

  /** Ends the body and releases everything that is held. */
  async close(): Promise<void> {
    this.#state = 'closed';
    this.#inMemory.length = 0;
    await this.#filling;
    await Promise.all(this.#files.splice(0).map((file) => file.close()));
    for (const giveBack of this.#places.splice(0)) giveBack();
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
      this.#failure = error ?? new Error('The export failed.');
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
    while (this.#places.length <= this.#files.length) {
      if (this.#state === 'closed') return undefined;
      const place = this.#options.morePlace();
      if (place !== undefined) this.#places.push(place);
      else if (this.#options.now() - since > this.#options.roomMs) {
        throw new Error(
          'An export was broken off: it waits in as many files as it may, and its client takes it too slowly.',
        );
      } else await delay(LOOK_EVERY_MS, undefined, { ref: false });
    }
    const file = await ScratchFile.open(this.#options.folder);
    this.#files.push(file);
    return file;
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
