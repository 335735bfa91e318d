import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
  type ZlibOptions,
} from 'node:zlib';
import type { Answer, Outcome } from './client.ts';

/** Every request asks for no compression; who compresses all the same is read, within the bound for bodies. */
export function unpacked(answer: Answer, maxBytes: number): Outcome {
  const codings = codingsOf(answer);
  if (codings.length === 0 || answer.body.length === 0) return { answer };
  const empty = { ...answer, body: Buffer.alloc(0) };
  const unknown = codings.find((coding) => !Object.hasOwn(UNPACK, coding));
  if (unknown !== undefined) {
    return {
      answer: empty,
      problem: `The body is compressed as ${JSON.stringify(unknown)}, though no compression was asked for.`,
    };
  }
  try {
    const body = codings.reduceRight(
      (packed, coding) => UNPACK[coding]?.(packed, { maxOutputLength: maxBytes }) ?? packed,
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

/** The last one applied stands last. */
function codingsOf({ headers }: Answer): string[] {
  return headers
    .filter(([name]) => name === 'content-encoding')
    .flatMap(([, value]) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

type Unpack = (body: Buffer, bound: { maxOutputLength: number }) => Buffer;

/** Some services leave the zlib head out, which RFC 9110 warns of. */
const inflated: Unpack = (body, bound: ZlibOptions) =>
  ((body[0] ?? 0) & 0x0f) === 8 ? inflateSync(body, bound) : inflateRawSync(body, bound);

const UNPACK: Readonly<Record<string, Unpack>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflated,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};
