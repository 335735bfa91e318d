import { createHash } from 'node:crypto';

export const CHECKSUMS = ['md5', 'sha1', 'sha256', 'sha512'] as const;

export type Checksum = (typeof CHECKSUMS)[number];

export function computeChecksums(bytes: Uint8Array): Record<Checksum, string> {
  const of = (name: Checksum): string => createHash(name).update(bytes).digest('hex');
  return { md5: of('md5'), sha1: of('sha1'), sha256: of('sha256'), sha512: of('sha512') };
}
