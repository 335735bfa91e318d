/** Of a file with a certificate or a key; a chain of ten certificates has some 20 KiB. */
export const MAX_PEM_BYTES = 1_048_576;

/** A certificate, followed by its issuers' certificates, and its private key; PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/** The source of the server's certificate. */
export interface CertificateSource {
  /** Whether the operator provided it, so that browsers should trust it. */
  readonly isGiven: boolean;
  /** The current certificate; the same object until it changes. */
  current: () => Promise<Certificate>;
}
