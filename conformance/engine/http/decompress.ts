import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
  type ZlibOptions,
} from 'node:zlib';
import type { Answer, Outcome } from './client.ts';

/** Nearly every request asks for no compression; a body that is compressed all the same is read, within the bound for bodies. */
export function decompress(answer: Answer, maxBytes: number): Outcome {
  const codings = listCodings(answer);
  if (codings.length === 0 || answer.body.length === 0) return { answer };
  const empty = { ...answer, body: Buffer.alloc(0) };
  const unknown = codings.find((coding) => !Object.hasOwn(DECOMPRESSORS, coding));
  if (unknown !== undefined) {
    return {
      answer: empty,
      problem: `The body is compressed as ${JSON.stringify(unknown)}, which was not asked for.`,
    };
  }
  try {
    const body = codings.reduceRight(
      (packed, coding) => DECOMPRESSORS[coding]?.(packed, { maxOutputLength: maxBytes }) ?? packed,
      answer.body,
    );
    return { answer: { ...answer, body } };
  } catch (error) {
    const packed = `The body, compressed as ${codings.join(', ')},`;
    const tooLarge = error instanceof RangeError;
    return {
      answer: empty,
      problem: tooLarge ? `${packed} becomes more than ${maxBytes} bytes.` : `${packed} can't be unpacked.`,
    };
  }
}

/** In the order in which they were applied. */
function listCodings({ headers }: Answer): string[] {
  return headers
    .filter(([name]) => name === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

type Decompressor = (body: Buffer, bound: { maxOutputLength: number }) => Buffer;

/** Some services leave the zlib header out, which RFC 9110 warns of. */
const inflate: Decompressor = (body, bound: ZlibOptions) =>
  ((body[0] ?? 0) & 0x0f) === 8 ? inflateSync(body, bound) : inflateRawSync(body, bound);

const DECOMPRESSORS: Readonly<Record<string, Decompressor>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflate,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};
