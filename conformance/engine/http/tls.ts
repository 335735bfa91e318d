import type { SecureContextOptions } from 'node:tls';

/** What a client shows and believes in TLS. */
export interface TlsOptions extends Pick<SecureContextOptions, 'ca' | 'cert' | 'key'> {
  /** Takes any certificate for the service's. */
  readonly isInsecure?: boolean;
}

/** In the words of Node. */
export function toNodeTls({ isInsecure = false, ...others }: TlsOptions = {}): SecureContextOptions & {
  rejectUnauthorized: boolean;
} {
  return { ...others, rejectUnauthorized: !isInsecure };
}
