/** What URLs and browsers call the machine that they run on. No other host is of its domain, and nobody else can read along. */
export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
