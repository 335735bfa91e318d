import { isUtf8 } from 'node:buffer';
import type { Outcome, Outgoing } from '../http/client.ts';
import type { Exchange } from '../result.ts';
import { REDACTED, Secrets } from './secrets.ts';

/** What the caller entrusted to the run, and what a report may show in its place. */
export interface Entrusted {
  /** Every text that must not come into a report. */
  readonly secrets: readonly string[];
  /** Names of accounts, which are no secrets even where they are sent as one. */
  readonly names?: readonly string[];
  /** By the credentials as they are sent, after the scheme: the environment variable that may hold them. */
  readonly variables?: ReadonlyMap<string, string>;
  /** Credentials that are no secrets, since they are wrong on purpose and the same for everybody. */
  readonly shown?: readonly string[];
}

const MAX_RECORDED = 16_384;
const CREDENTIALS = new Set(['authorization', 'api-key', 'cookie', 'proxy-authorization']);

/** Makes what a report shows: bounded, and without a secret wherever one may stand. */
export class Redactor {
  readonly #secrets: Secrets;
  readonly #names: ReadonlySet<string>;
  readonly #variables: ReadonlyMap<string, string>;
  readonly #shown: ReadonlySet<string>;

  constructor({ secrets, names = [], variables = new Map(), shown = [] }: Entrusted) {
    this.#secrets = new Secrets(secrets);
    this.#names = new Set(names);
    this.#variables = variables;
    this.#shown = new Set(shown);
  }

  /** The text without any secret. */
  clean(text: string): string {
    return this.#secrets.clean(text);
  }

  /** The beginning of a text or of bytes, without any secret: also none that would be cut in two. */
  truncate(body: string | Uint8Array, length = MAX_RECORDED): { body: string; truncated?: true } {
    const bytes = Buffer.from(body);
    const { reach } = this.#secrets;
    const window = bytes.subarray(0, 2 * length + reach);
    const text = this.clean(window.toString('utf8'));
    if (window.length === bytes.length && text.length <= length) return { body: text };
    const whole = window.length === bytes.length ? text : text.slice(0, text.length - reach);
    return { body: whole.slice(0, length), truncated: true };
  }

  /** Credentials become `<NAME>`, the variable that holds them; others, and any other secret, `<redacted>`. */
  record({ method, url, headers, body }: Outgoing, { answer, problem, startedAt }: Outcome): Exchange {
    const sent = headers.map(([name, value]): [string, string] => [
      name,
      this.#recordHeader(name.toLowerCase(), value),
    ]);
    return {
      ...(startedAt === undefined ? {} : { startedAt: startedAt.toISOString() }),
      request: {
        method,
        url: this.#recordUrl(url),
        headers: sent,
        ...(body === undefined ? {} : this.#recordBody(body)),
      },
      ...(answer === undefined
        ? {}
        : {
            response: {
              status: answer.status,
              httpVersion: answer.httpVersion,
              headers: answer.headers.map(([name, value]): [string, string] => [name, this.clean(value)]),
              ...this.truncate(answer.body),
              milliseconds: answer.milliseconds,
            },
          }),
      ...(problem === undefined ? {} : { problem: this.clean(problem) }),
    };
  }

  #recordHeader(name: string, value: string): string {
    if (name === 'cookie')
      return value
        .split('; ')
        .map((pair) => this.#recordPair(pair))
        .join('; ');
    const isCredential = CREDENTIALS.has(name) || this.#variables.has(value) || this.#shown.has(value);
    return isCredential ? this.#replaceCredentials(value) : this.clean(value);
  }

  /** A cookie. */
  #recordPair(pair: string): string {
    const [, name = '', sent = pair] = /^([^=]*=)(.*)$/s.exec(pair) ?? [];
    return `${this.clean(name)}${this.#nameCredential(sent) ?? REDACTED}`;
  }

  /** What stands for a percent-encoded value that is a known credential. */
  #nameCredential(sent: string): string | undefined {
    const value = decodeIfEncoded(sent);
    const variable = this.#variables.get(value);
    if (variable !== undefined) return `<${variable}>`;
    return this.#shown.has(value) ? sent : undefined;
  }

  /** An API key may be a value of the query. */
  #recordUrl(url: string): string {
    const begin = url.indexOf('?') + 1;
    if (begin === 0) return this.clean(url);
    const query = url.slice(begin).replaceAll(/(?<==)[^&]+/g, (sent) => this.#nameCredential(sent) ?? this.clean(sent));
    return this.clean(url.slice(0, begin)) + query;
  }

  /** Bytes that are no text are kept too, so that they can be sent again. */
  #recordBody(body: string | Uint8Array): { body: string; base64?: string; truncated?: true } {
    const recorded = this.truncate(body);
    if (typeof body === 'string' || recorded.truncated === true || isUtf8(body)) return recorded;
    const bytes = Buffer.from(body);
    const readings = (['latin1', 'utf8', 'utf16le'] as const).map((encoding) => bytes.toString(encoding));
    const isClean = readings.every((text) => this.clean(text) === text);
    return isClean ? { ...recorded, base64: bytes.toString('base64') } : recorded;
  }

  /** The scheme stays: it is what some cases are about. */
  #replaceCredentials(value: string): string {
    if (value === '') return '';
    const known = this.#variables.get(value);
    if (known !== undefined) return `<${known}>`;
    const [, scheme = '', sent = ''] = /^(\S+ )?(.*)$/s.exec(value) ?? [];
    if (this.#shown.has(sent)) return value;
    const variable = this.#variables.get(sent);
    if (variable === undefined && scheme !== '') this.#learn(sent);
    return `${this.clean(scheme)}${variable === undefined ? REDACTED : `<${variable}>`}`;
  }

  /** Wrong credentials may hold a part of a secret too, and come back in an answer. */
  #learn(sent: string): void {
    const [, wrong = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(sent, 'base64').toString('utf8')) ?? [];
    for (const text of [sent, wrong]) if (!this.#names.has(text)) this.#secrets.learn(text);
  }
}

/** What a case sends may be no valid encoding. */
function decodeIfEncoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
