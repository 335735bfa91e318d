import { hash } from 'node:crypto';

/** The longest text, in bytes of UTF-8, that is its own key. */
const MAX_PLAIN_BYTES = 128;

/** SHA-256 of the text's UTF-8, base64url: 43 characters. */
export function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** SHA-256 of the text's UTF-8: 32 bytes. */
export function digestBytes(text: string): Uint8Array {
  return hash('sha256', text, 'buffer');
}

/**
 * Returns a text's form in keys of tables: itself if it is short, otherwise its beginning and a digest of the whole, since
 * engines limit the size of index rows. Different texts have different keys (a cut one is longer than any whole one), and keys
 * sort almost like the texts.
 *
 * @returns at most 180 bytes of UTF-8
 */
export function boundedKey(text: string): string {
  if (text.length <= MAX_PLAIN_BYTES && Buffer.byteLength(text) <= MAX_PLAIN_BYTES) return text;
  // One unit more, so that no pair of surrogates that begins within is cut.
  const beginning = Buffer.from(text.slice(0, MAX_PLAIN_BYTES + 1)).subarray(0, MAX_PLAIN_BYTES);
  return `${beginning.toString()}…${digest(text)}`;
}
