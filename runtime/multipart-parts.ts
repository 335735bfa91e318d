import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { refuseTooLarge } from './body-headers.ts';
import { ContractError } from './contract-error.ts';
import type { BodyPlan, MediaPlan, PartPlan } from './plan.ts';
import { UploadedFile } from './uploaded-file.ts';

/** A form with more parts is none that a person has filled in. */
const MOST_PARTS = 1_000;

/** Of all fields together that are not files: they are held in memory. */
const MOST_FIELD_BYTES = 1_048_576;

/** What is read of the headers of a part. */
const MOST_HEADER_BYTES = 16_384;

/** What every part begins with, whatever the boundary is. */
const DELIMITER = '\r\n--';

/** So many of them, or so many bytes, are read at once: a part costs tens of microseconds, however short it is. */
const MOST_DELIMITERS = 32;
const MOST_BYTES = 65_536;

/** One part of a body, as it came: a file, or else a text. */
export interface Part {
  name: string;
  mediaType: string;
  text?: string;
  file?: UploadedFile;
}

interface Reception {
  payload: Readable;
  contentType: string;
  /** Where files go. */
  makeFolder: () => Promise<string>;
  /** Waits until the next parts may be read. */
  takeTurn: () => Promise<void>;
}

/** A part that is being received. */
interface Incoming {
  name: string;
  stream: Readable;
  filename: string | undefined;
  mediaType: string;
}

/**
 * Receives the parts of a `multipart/form-data` body in their order; files are written down as they come.
 *
 * @throws ContractError of kind `body`, `media-type` or `too-large`. Nothing is written any more by then.
 */
export async function receiveParts(
  body: BodyPlan,
  media: MediaPlan,
  { payload, contentType, makeFolder, takeTurn }: Reception,
): Promise<Part[]> {
  const parser = createParser(contentType);
  const readText = createTextReader();
  const streams: Readable[] = [];
  const parts: Promise<Part>[] = [];

  const receive = async (part: Incoming, place: number): Promise<Part> => {
    const plan = media.parts?.find(({ name }) => name === part.name);
    const isFile = plan === undefined ? part.filename !== undefined : plan.kind === 'file';
    if (!isFile) return { ...part, text: await readText(part) };
    const file = await saveFile(part, plan, join(await makeFolder(), `${place}`));
    return { ...part, file };
  };

  const finished = new Promise<void>((resolve, reject) => {
    parser.on('file', (name: string | undefined, stream, filename: string | undefined, _encoding, mediaType) => {
      // It may fail before anybody reads it.
      stream.on('error', () => {});
      streams.push(stream);
      if (name === undefined) return reject(new ContractError('body', 'A part of the body has no name.'));
      const part = receive({ name, stream, filename, mediaType }, parts.length);
      parts.push(part);
      part.catch(reject);
    });
    parser.once('filesLimit', () =>
      reject(new ContractError('too-large', `The body must not have more than ${MOST_PARTS} parts.`)),
    );
    parser.on('error', () => reject(new ContractError('body', 'The body ends before its last boundary, or has none.')));
    parser.once('finish', resolve);
    const giveWay = async (): Promise<void> => {
      // The last may go on. Else a thousand files would be opened at once.
      await Promise.all(parts.slice(0, -1));
      // Streams end in ticks, before which a turn may be over: the next, if it came at once, would leave no time between.
      await setImmediate();
      await takeTurn();
    };
    feed(parser, body, { payload, giveWay }, reject);
  });
  try {
    await finished;
    const all = await Promise.all(parts);
    return all.filter(({ file }) => file === undefined || !isNone(file));
  } catch (error) {
    parser.destroy();
    payload.removeAllListeners('data').resume();
    for (const stream of streams) stream.destroy();
    await Promise.allSettled(parts);
    throw error;
  }
}

function createParser(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      // So that nothing is decoded, nor cut off where it is too long.
      isPartAFile: () => true,
      limits: { files: MOST_PARTS, headerSize: MOST_HEADER_BYTES },
    });
  } catch {
    throw new ContractError('body', 'The content type lacks the "boundary" that parts the body.');
  }
}

/** Hands the body on as fast as its parts are taken, some of them at a time. */
function feed(
  parser: BusboyInstance,
  plan: BodyPlan,
  { payload, giveWay }: { payload: Readable; giveWay: () => Promise<void> },
  fail: (problem: unknown) => void,
): void {
  let size = 0;
  let written = Promise.resolve();
  const write = async (chunk: Buffer): Promise<void> => {
    payload.pause();
    for (let rest = chunk; rest.length > 0;) {
      if (rest !== chunk) await giveWay();
      const piece = cutPiece(rest);
      await new Promise<void>((resolve, reject) => parser.write(piece, (error) => (error ? reject(error) : resolve())));
      rest = rest.subarray(piece.length);
    }
    payload.resume();
  };
  payload.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > plan.maxBytes) fail(refuseTooLarge(plan));
    else {
      written = write(chunk);
      written.catch(fail);
    }
  });
  payload.once('end', () => {
    if (size === 0) fail(new ContractError('body', 'The body is missing.'));
    // It may come before all is written, also while the payload is paused.
    written.then(() => parser.end(), fail);
  });
  payload.once('error', () => fail(new ContractError('body', 'The body broke off.')));
}

/** What is read before others have a turn. */
function cutPiece(bytes: Buffer): Buffer {
  const piece = bytes.subarray(0, MOST_BYTES);
  let at = 0;
  for (let count = 0; count < MOST_DELIMITERS && at !== -1; count += 1) at = piece.indexOf(DELIMITER, at + 1);
  return at === -1 ? piece : piece.subarray(0, at);
}

function createTextReader(): (part: Incoming) => Promise<string> {
  let size = 0;
  return async ({ name, stream }) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_FIELD_BYTES) {
        const sentence = `The fields of the body that are not files must not exceed ${MOST_FIELD_BYTES} bytes.`;
        throw new ContractError('too-large', sentence);
      }
      chunks.push(chunk);
    }
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
    } catch {
      throw new ContractError('body', `The field "${name}" of the body is not valid UTF-8.`);
    }
  };
}

async function saveFile(part: Incoming, plan: PartPlan | undefined, path: string): Promise<UploadedFile> {
  const { name, stream, filename, mediaType } = part;
  const { maxBytes = Infinity, minBytes = 0, contentTypes } = plan ?? {};
  let size = 0;
  await pipeline(
    stream,
    async function* measure(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > maxBytes)
          throw new ContractError('too-large', `The file "${name}" must not exceed ${maxBytes} bytes.`);
        yield chunk;
      }
    },
    createWriteStream(path),
  );
  const file = new UploadedFile({ filename, mediaType, size, path });
  if (isNone(file)) return file;
  if (contentTypes !== undefined && !contentTypes.some((type) => isIn(mediaType, type)))
    throw new ContractError(
      'media-type',
      `The file "${name}" must have the content type ${contentTypes.join(' or ')}.`,
    );
  if (size < minBytes) throw new ContractError('body', `The file "${name}" must have at least ${minBytes} bytes.`);
  return file;
}

/** What a browser sends for a field in which no file was chosen. */
function isNone({ filename = '', size }: UploadedFile): boolean {
  return filename === '' && size === 0;
}

function isIn(type: string, range: string): boolean {
  return range === type || range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));
}
