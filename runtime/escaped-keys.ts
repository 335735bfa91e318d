import { randomBytes } from 'node:crypto';
import { objectOf } from './own-properties.ts';

/** What no key begins with, since nobody knows it. */
const mark = randomBytes(12).toString('hex');

/** A text, which may lack its end, and the colon behind it where it is a key. Nothing is tried twice, whatever is in it. */
const textOrKey = /"[^"\\]*(?:\\[^]?[^"\\]*)*(?:"|$)(\s*:)?/g;

/**
 * `JSON.parse` for what has keys with escape sequences. Once V8 13.6 has read an object that has the key `\` after some others, it takes
 * for that one each key that is written with an escape sequence, has one character, and stands behind the same others; so it does with longer
 * ones. Therefore they are parsed in another form, and renamed.
 *
 * @throws SyntaxError
 */
export function parseEscapedKeys(text: string): unknown {
  const safe = text.replace(textOrKey, (written, colon?: string) => {
    if (colon === undefined || !written.includes('\\')) return written;
    const key = JSON.parse(written.slice(0, -colon.length)) as string;
    return `"${mark}${Buffer.from(key, 'utf16le').toString('hex')}"${colon}`;
  });
  return rename(JSON.parse(safe));
}

function rename(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(rename);
  return objectOf(Object.entries(value).map(([key, member]) => [readKey(key), rename(member)]));
}

function readKey(key: string): string {
  return key.startsWith(mark) ? Buffer.from(key.slice(mark.length), 'hex').toString('utf16le') : key;
}
