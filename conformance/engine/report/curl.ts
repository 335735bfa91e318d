import type { Exchange } from '../result.ts';

/** Headers that each client sets itself. */
const OWN = new Set(['host', 'connection', 'content-length']);
/** What a recorded header has in place of credentials: the variable that holds them, or nothing that could be said. */
const PLACEHOLDER = /^(?<scheme>\S+ )?<(?<variable>[A-Z0-9_]+|redacted)>$/;
/** The same as a value of a query, in which nothing else has such brackets. */
const IN_QUERY = /(?<==)<(?<variable>[A-Z0-9_]+|redacted)>(?=&|$)/g;
/** What a report can't show literally. */
const UNPRINTABLE = /[^\P{Cc}\n\t]|[\uFFFD\u202A-\u202E\u2066-\u2069]/u;

/** A command that sends a request again. */
export interface Curl {
  readonly command: string;
  /** It does not send what was sent, but what the reader gives. */
  readonly isOther: boolean;
  /** What the reader has to know before it is run. */
  readonly notes: readonly string[];
}

/**
 * The command for a POSIX shell that repeats a request. Credentials stand as shell variables of the names that
 * the command itself reads, such as `$BRANCHLINE_ACCOUNT`; a body that can't be shown literally as Base64. Nothing for
 * a request that nobody can repeat: to no absolute URL, or with a body that was cut short.
 */
export function buildCurl({ request, response }: Exchange): Curl | undefined {
  const { method, url, headers, body, truncated } = request;
  const sent = headers.filter(([name]) => !OWN.has(name.toLowerCase()));
  const isPrintable = ![url, ...sent.flat()].some((text) => UNPRINTABLE.test(text));
  if (!/^https?:\/\//.test(url) || truncated === true || !isPrintable) return undefined;
  const bytes = findBytes(request);
  const isTyped = body === undefined || sent.some(([name]) => name.toLowerCase() === 'content-type');
  const words = [
    ...(bytes === undefined ? [] : [`printf %s ${bytes} | base64 --decode |`]),
    'curl --include --globoff --path-as-is',
    ...(response?.httpVersion === '2.0' ? [url.startsWith('https:') ? '--http2' : '--http2-prior-knowledge'] : []),
    ...(method === 'GET' && body === undefined ? [] : [`--request ${quoteForShell(method)}`]),
    ...sent.map(headerOption),
    ...(isTyped ? [] : [`--header ${quoteForShell('content-type:')}`]),
    ...(body === undefined ? [] : [bytes === undefined ? `--data-raw ${quoteForShell(body)}` : '--data-binary @-']),
    quoteUrl(url),
  ];
  const names = [
    ...sent.flatMap(([name, value]) => listVariables(name, value)),
    ...[...url.matchAll(IN_QUERY)].map(nameOf),
  ];
  const isOther = names.includes(REDACTED);
  const variables = [...new Set(names)].filter((name) => name !== REDACTED);
  return {
    command: breakLines(words),
    isOther,
    notes: [
      ...(variables.length === 0
        ? []
        : [`Set ${variables.join(' and ')} first, to the credentials that the run was given.`]),
      ...(isOther ? [NOT_AS_SENT] : []),
    ],
  };
}

const REDACTED = 'redacted';

function nameOf({ groups }: RegExpMatchArray): string {
  return groups?.['variable'] ?? '';
}

function listVariables(name: string, value: string): string[] {
  return splitCredentials(name, value).flatMap((text) => {
    const found = PLACEHOLDER.exec(text);
    return found === null ? [] : [nameOf(found)];
  });
}

/** A cookie each, without its name. */
function splitCredentials(name: string, value: string): string[] {
  return name.toLowerCase() === 'cookie' ? value.split('; ').map((pair) => pair.replace(/^[^=]*=/, '')) : [value];
}

/** With what stands in a query for credentials. */
function quoteUrl(url: string): string {
  const parts = url.split(IN_QUERY);
  return parts
    .map((part, index) => (index % 2 === 0 ? (part === '' ? '' : quoteForShell(part)) : quoteVariable(part)))
    .join('');
}

function quoteVariable(name: string): string {
  return name === REDACTED ? '"$CREDENTIALS"' : `"$${name}"`;
}

/** In Base64, where a body can't stand in a command as it is. */
function findBytes({ body = '', base64 }: Exchange['request']): string | undefined {
  if (base64 !== undefined) return base64;
  return body.isWellFormed() && !UNPRINTABLE.test(body) ? undefined : Buffer.from(body, 'utf8').toString('base64');
}

/** Wider lines are broken where a terminal has room for no more. */
const MAX_COLUMNS = 98;

/** Words of a shell on as few lines as they fit. */
function breakLines(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined) lines.push(word);
    else if (line.length + word.length < MAX_COLUMNS) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines.join(' \\\n');
}

/** Quotes a text as one word of a POSIX shell. */
export function quoteForShell(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const NOT_AS_SENT =
  'The credentials were wrong on purpose, as the title says, and are not in the report; set CREDENTIALS to what is to be sent in their place.';

/** Those of the suite hold a name and a secret, which are sent encoded. */
const ACCOUNTS = /^BRANCHLINE_(?:SECOND_(?:WORKSPACE_)?)?ACCOUNT$/;

function headerOption([name, value]: [string, string]): string {
  if (name.toLowerCase() === 'cookie') return `--header ${quoteForShell(`${name}: `)}${quoteCookies(value)}`;
  const { scheme = '', variable } = PLACEHOLDER.exec(value)?.groups ?? {};
  // A header without a value is written with a semicolon; with a colon, curl would leave it out.
  if (variable === undefined)
    return `--header ${quoteForShell(value.trim() === '' ? `${name};` : `${name}: ${value}`)}`;
  if (variable !== REDACTED && name.toLowerCase() === 'authorization' && scheme === 'Basic ')
    return `--user "$${variable}"`;
  const sent = ACCOUNTS.test(variable)
    ? `"$(printf %s "$${variable}" | base64 | tr -d '\\n')"`
    : quoteVariable(variable);
  return `--header ${quoteForShell(`${name}: ${scheme}`)}${sent}`;
}

function quoteCookies(value: string): string {
  const pairs = value.split('; ').map((pair) => {
    const [, name = '', variable] = /^([^=]*=)?<([A-Z0-9_]+|redacted)>$/.exec(pair) ?? [];
    return variable === undefined
      ? quoteForShell(pair)
      : `${name === '' ? '' : quoteForShell(name)}${quoteVariable(variable)}`;
  });
  return pairs.join("'; '");
}
