import { crc32, deflateRawSync } from 'node:zlib';

/** In which the lengths of the codes stand for lengths (RFC 1951, 3.2.7). */
const ORDER_OF_LENGTHS = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Numbers are written from their lowest bit on, codes from their highest. */
function writeNumber(value: number, bits: number): string {
  return writeCode(value, bits).split('').toReversed().join('');
}

function writeCode(code: number, bits: number): string {
  return code.toString(2).padStart(bits, '0');
}

/** A block in which nothing is but codes of its own, as long as they may be, and its end. */
function writeEmptyBlock(): string {
  // Sixteen codes of four bits: for the lengths 1 to 15, and for many zeros.
  const lengthCodes = ORDER_OF_LENGTHS.map((symbol) => ((symbol > 0 && symbol < 16) || symbol === 18 ? 4 : 0));
  const length = (bits: number): string => writeCode(bits - 1, 4);
  const zeros = (count: number): string => writeCode(15, 4) + writeNumber(count - 11, 7);
  return [
    writeNumber(0, 1) + writeNumber(2, 2),
    writeNumber(0, 5) + writeNumber(0, 5) + writeNumber(ORDER_OF_LENGTHS.length - 4, 4),
    ...lengthCodes.map((bits) => writeNumber(bits, 3)),
    ...Array.from({ length: 15 }, (_, at) => length(at + 1)),
    zeros(138) + zeros(256 - 15 - 138),
    length(15) + length(1),
    writeCode(2 ** 15 - 1, 15),
  ].join('');
}

/** As many bytes of gzip as named, nearly, that cost as much to unpack as any may, and out of which comes what is given. */
export function makeCostlyGzip(bytes: number, content: Buffer): Buffer {
  const block = writeEmptyBlock();
  const blocks = block.repeat(Math.floor((bytes * 8) / block.length));
  // An empty stored block ends at the end of a byte.
  const bits = blocks + '000';
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
  const packed = Buffer.from(
    padded.match(/.{8}/g)?.map((byte) => Number.parseInt(byte.split('').toReversed().join(''), 2)) ?? [],
  );
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(content));
  trailer.writeUInt32LE(content.length, 4);
  return Buffer.concat([
    Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255),
    packed,
    Buffer.of(0, 0, 255, 255),
    deflateRawSync(content),
    trailer,
  ]);
}
