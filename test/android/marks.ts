import { gunzipSync } from 'node:zlib';

/** What every value of the shop has in it, and nothing else (android-sdk/samples/shop, `Canary`). */
const MARKS = ['goldfinch-canary', 'GOLDFINCH_CANARY', '9081726', '9.081726', '2257-10-15', 'Oct 15 13:40:00'];

const WITHIN = 60;

/** Finds marks of values in bytes: as UTF-8, UTF-16, hexadecimal and base64, also where all of it is compressed with gzip. */
export function marksIn(bytes: Buffer): string[] {
  const layers = [bytes, ...unzipped(bytes)];
  return layers.flatMap((layer) => MARKS.flatMap((mark) => formsOf(mark).flatMap((form) => found(form, layer))));
}

/** Whether the bytes are compressed with gzip. */
export function isZipped(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function unzipped(bytes: Buffer): Buffer[] {
  return isZipped(bytes) ? [gunzipSync(bytes)] : [];
}

function formsOf(mark: string): Buffer[] {
  const utf8 = Buffer.from(mark);
  const utf16 = Buffer.from(mark, 'utf16le');
  return [utf8, utf16, Buffer.from(utf16).swap16(), Buffer.from(utf8.toString('hex')), ...base64FormsOf(utf8)];
}

/** Base64 of a text depends on how many bytes are before it; these are the characters that depend on the text alone. */
function base64FormsOf(text: Buffer): Buffer[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), text]).toString('base64');
    const own = encoded.slice(
      Math.ceil((before * 8) / 6),
      encoded.endsWith('=') ? encoded.indexOf('=') - 1 : undefined,
    );
    return Buffer.from(own);
  });
}

/** What stands around the first occurrence. */
function found(form: Buffer, bytes: Buffer): string[] {
  const at = bytes.indexOf(form);
  return at < 0 ? [] : [bytes.toString('latin1', Math.max(0, at - WITHIN), at + form.length + WITHIN)];
}
