/** Whether the server of this origin runs on the reader's own machine. */
export function isThisMachine(origin: string): boolean {
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/**
 * The origin for commands to paste into a shell. On the reader's own machine it uses plain HTTP, because the server's
 * self-signed certificate can be accepted in a browser, but not by curl.
 */
export function shellOrigin(origin: string): string {
  return isThisMachine(origin) ? origin.replace(/^https:/, 'http:') : origin;
}
