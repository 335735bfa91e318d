/** Whether the server of this origin runs on the reader's own machine. */
export function isThisMachine(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/**
 * Where lines to paste into a shell send to. On the reader's own machine that is plain HTTP: over TLS the server shows a
 * certificate there that a browser can be told to accept, and curl refuses.
 */
export function shellOrigin(origin: string): string {
  return isThisMachine(origin) ? origin.replace(/^https:/, 'http:') : origin;
}
