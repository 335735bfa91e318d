import type { Exchange } from '../result.ts';

/** Headers that each client sets itself. */
const OWN = new Set(['host', 'connection', 'content-length']);
/** What a recorded header has in place of credentials: the variable that holds them, or nothing that could be said. */
const PLACEHOLDER = /^(?<scheme>\S+ )?<(?<variable>[A-Z_]+|redacted)>$/;
/** What a report can't show literally, replacement characters of binary bodies included. */
const UNPRINTABLE = /[^\P{Cc}\n\t]|[\uFFFD\u202A-\u202E\u2066-\u2069]/u;

/** A command that sends a request again. */
export interface Curl {
  readonly command: string;
  /** What the reader has to know before it is run. */
  readonly note?: string;
}

/**
 * The command for a POSIX shell that repeats a request. Credentials stand as shell variables of the names that
 * `branchline conformance` itself reads, such as `$BRANCHLINE_ACCOUNT`. Nothing for a request that nobody can repeat: to no
 * absolute URL, or with a body that was cut short or is no text.
 */
export function buildCurl({ request }: Exchange): Curl | undefined {
  const { method, url, headers, body, truncated } = request;
  const isText = body === undefined || (body.isWellFormed() && !UNPRINTABLE.test(body));
  if (!/^https?:\/\//.test(url) || truncated === true || !isText) return undefined;
  const sent = headers.filter(([name]) => !OWN.has(name.toLowerCase()));
  const isTyped = body === undefined || sent.some(([name]) => name.toLowerCase() === 'content-type');
  const words = [
    'curl --include --globoff --path-as-is',
    ...(method === 'GET' && body === undefined ? [] : [`--request ${quoteForShell(method)}`]),
    ...sent.map(headerOption),
    ...(isTyped ? [] : [`--header ${quoteForShell('content-type:')}`]),
    ...(body === undefined ? [] : [`--data-raw ${quoteForShell(body)}`]),
    quoteForShell(url),
  ];
  const command = words.join(' \\\n  ');
  return isAsSent(sent) ? { command } : { command, note: NOT_AS_SENT };
}

/** Quotes a text as one word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const NOT_AS_SENT =
  'The credentials were wrong on purpose, as the title says, and are not in the report; set CREDENTIALS to what is to be sent in their place.';

function isAsSent(headers: readonly [string, string][]): boolean {
  return headers.every(([, value]) => PLACEHOLDER.exec(value)?.groups?.['variable'] !== 'redacted');
}

function headerOption([name, value]: [string, string]): string {
  const { scheme = '', variable } = PLACEHOLDER.exec(value)?.groups ?? {};
  // A header without a value is written with a semicolon; with a colon, curl would leave it out.
  if (variable === undefined)
    return `--header ${quoteForShell(value.trim() === '' ? `${name};` : `${name}: ${value}`)}`;
  if (variable === 'redacted') return `--header ${quoteForShell(`${name}: ${scheme}`)}"$CREDENTIALS"`;
  if (!variable.endsWith('_ACCOUNT')) return `--header ${quoteForShell(`${name}: ${scheme}`)}"$${variable}"`;
  if (name.toLowerCase() === 'authorization' && scheme === 'Basic ') return `--user "$${variable}"`;
  return `--header ${quoteForShell(`${name}: ${scheme}`)}"$(printf %s "$${variable}" | base64 | tr -d '\\n')"`;
}
