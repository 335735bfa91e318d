/** What Node says of a connection that failed. */
export interface ConnectionError extends NodeJS.ErrnoException {
  /** What came and is no HTTP/1.1. */
  readonly rawPacket?: Buffer;
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/** Why there was no connection at all; `undefined` where there was one. */
export function explainUnreachable({ code = '' }: ConnectionError): string | undefined {
  if (UNREACHABLE.has(code)) return `The service could not be reached (${code}).`;
  if (/CERT|SIGNATURE|ISSUER/.test(code)) {
    return `The certificate of the service is not trusted (${code}). Give that of its authority: --cacert authority.pem.`;
  }
  if (/^(?:EPROTO|ERR_SSL_.*)$/.test(code)) return `The service does not speak TLS as it should (${code}).`;
  return undefined;
}

/** The two ends of a connection have no version of HTTP in common (RFC 7301, 3.2). */
export function isOtherVersion({ code = '', message }: ConnectionError): boolean {
  return /no.application.protocol/i.test(code + message);
}

export function explainBroken({ code, message }: NodeJS.ErrnoException): string {
  return `The service broke the exchange (${code ?? message}).`;
}
