import type { Exchange } from '../../engine/result.ts';
import { REDACTED, type Secrets } from '../../engine/redact/secrets.ts';
import { type Arrival, isGzip } from './captured-request.ts';

const MAX_SHOWN = 5;
const MAX_TEXT = 8_192;

/** Requests as a report shows them: not too many, not too long, and without the key. */
export function exchangesOf(arrivals: readonly Arrival[], secrets: Secrets): Exchange[] {
  const clean = (text: string): string => secrets.clean(text);
  return arrivals.slice(0, MAX_SHOWN).map(({ method, url, headers, body, text, fault, answered, at }) => ({
    request: {
      method,
      url: clean(url),
      headers: headers.map(([name, value]) => [name, name === 'api-key' ? REDACTED : clean(value)]),
      ...(body.length === 0 ? {} : { body: shortened(isGzip(body) ? `(gzip) ${text}` : text, MAX_TEXT, secrets) }),
      ...(text.length > MAX_TEXT || fault === 'endless' ? { truncated: true } : {}),
    },
    ...(answered?.status === undefined
      ? { problem: answered === undefined ? 'It was not answered.' : 'The connection was reset instead of an answer.' }
      : {
          response: {
            status: answered.status,
            httpVersion: '1.1',
            headers: [...answered.headers],
            body: answered.body,
            milliseconds: Math.round(answered.at - at),
          },
        }),
  }));
}

/** The beginning of a text, without secrets: none is cut in two before it is looked for. */
export function shortened(text: string, length: number, secrets: Secrets): string {
  return secrets.clean(text.slice(0, length + secrets.reach)).slice(0, length);
}
