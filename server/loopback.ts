/** The names that URLs and browsers use for their own machine. No other host is in this domain, and nobody else can read along. */
export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
