import { createHash } from 'node:crypto';

/** In hexadecimal; of a text, that of its UTF-8. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
