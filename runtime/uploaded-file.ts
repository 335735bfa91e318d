import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** A file of a `multipart/form-data` body. It is there until the reply has been sent; move it by `path` to keep it. */
export class UploadedFile {
  /** As the client calls it, without folders; `undefined` where it does not. */
  readonly filename: string | undefined;
  /** As the client says, in lower case: nobody has looked into the file. */
  readonly mediaType: string;
  /** In bytes. */
  readonly size: number;
  /** Where it lies. */
  readonly path: string;

  constructor({ filename, mediaType, size, path }: Pick<UploadedFile, 'filename' | 'mediaType' | 'size' | 'path'>) {
    this.filename = filename;
    this.mediaType = mediaType;
    this.size = size;
    this.path = path;
  }

  /** Its content, from the beginning each time. */
  stream(): Readable {
    return createReadStream(this.path);
  }

  /** Its content, whole in memory. */
  bytes(): Promise<Buffer> {
    return readFile(this.path);
  }
}
