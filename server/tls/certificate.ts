/** A certificate, followed by those of its issuers, and its private key; PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/** Where the server's certificate comes from. */
export interface CertificateSource {
  /** Whether the operator gave it, so that browsers are meant to trust it. */
  readonly isGiven: boolean;
  /** The one to show now; the same object as long as it is the same certificate. */
  current: () => Promise<Certificate>;
}
