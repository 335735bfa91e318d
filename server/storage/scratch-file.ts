import { randomUUID } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A file that is written at its end and read from its beginning, readable only by its owner. It has no name and disappears with
 * the process, however that ends.
 */
export class ScratchFile {
  readonly #file: FileHandle;
  #written = 0;
  #read = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(folder: string): Promise<ScratchFile> {
    const path = join(folder, `.branchline-${randomUUID()}.tmp`);
    const file = await open(path, 'wx+', 0o600);
    // Synchronously: only a kill at this very moment could come between.
    unlinkSync(path);
    return new ScratchFile(file);
  }

  get bytesWritten(): number {
    return this.#written;
  }

  get bytesUnread(): number {
    return this.#written - this.#read;
  }

  /** Appends data. One call at a time; readers see it once it resolves. */
  async append(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, from, bytes.length - from, this.#written + from);
      from += bytesWritten;
    }
    this.#written += bytes.length;
  }

  /** Reads the next bytes, up to the given number; none if everything written has been read. */
  async read(most: number): Promise<Uint8Array> {
    const length = Math.min(most, this.bytesUnread);
    const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafeSlow(length), 0, length, this.#read);
    if (bytesRead === 0 && length > 0) throw new Error('A file of an export ends before its end.');
    this.#read += bytesRead;
    return buffer.subarray(0, bytesRead);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
