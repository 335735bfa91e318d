import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip, type Gunzip, gunzip } from 'node:zlib';
import { FairShare, type GiveBack } from './fair-share.ts';

const unpackWhole = promisify(gunzip);

/**
 * The most that is unpacked in one go, in bytes as sent. What a byte costs is up to the sender: 0.15 µs where each few of them begin a
 * block with codes of its own (RFC 1951, 3.2.7) and nothing comes out, ten times as much as usual.
 */
const PIECE = 8_192;

/** The pieces under way at once, in bytes. The threads that unpack want the same processors as the one that answers. */
const AT_ONCE = 2 * PIECE;

/** The next piece is asked for when the last one has been unpacked. What comes out comes in few chunks, since each costs a turn of the event loop. */
const ONE_AT_A_TIME = { writableHighWaterMark: 1, chunkSize: 65_536 };

const places = new FairShare({ total: AT_ONCE, mostWaiting: Number.POSITIVE_INFINITY });

export interface Unpacking {
  /** The most that may come out, in bytes. */
  maxBytes: number;
  /** Whom the work counts for. */
  holder: string;
  /** Ends the work, and the wait for it. */
  signal: AbortSignal;
}

/**
 * Unpacks gzip (RFC 1952) beside the event loop, in pieces between which holders take turns, and few at a time: however much one
 * holder has unpacked, and whatever that costs, others wait for some pieces at most.
 *
 * @throws RangeError if more comes out than may; an AbortError; what zlib throws if it is no gzip.
 */
export async function unpack(bytes: Buffer, unpacking: Unpacking): Promise<Buffer> {
  if (bytes.length > PIECE) {
    const { maxBytes, signal } = unpacking;
    const stream = createGunzip(ONE_AT_A_TIME);
    return pipeline(
      takePieces(bytes, unpacking, stream),
      stream,
      (unpacked: AsyncIterable<Buffer>) => collect(unpacked, maxBytes),
      { signal },
    );
  }
  const giveBack = await takePlace(bytes.length, unpacking);
  try {
    return await unpackWhole(bytes, { maxOutputLength: unpacking.maxBytes });
  } finally {
    giveBack();
  }
}

/** Ends before a piece where zlib left something of the one before: then it has seen the end, and what follows is padding. */
async function* takePieces(bytes: Buffer, unpacking: Unpacking, stream: Gunzip): AsyncIterable<Buffer> {
  for (let at = 0; at < bytes.length && stream.bytesWritten === at; at += PIECE) {
    const piece = bytes.subarray(at, at + PIECE);
    const giveBack = await takePlace(piece.length, unpacking);
    try {
      yield piece;
    } finally {
      giveBack();
    }
  }
}

async function takePlace(weight: number, { holder, signal }: Unpacking): Promise<GiveBack> {
  signal.throwIfAborted();
  const giveBack = await places.take(holder, { weight, signal });
  if (giveBack === undefined) throw new Error('Nobody waits for it any more.');
  return giveBack;
}

async function collect(unpacked: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of unpacked) {
    size += chunk.length;
    if (size > maxBytes) throw new RangeError(`More than ${maxBytes} bytes came out.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
