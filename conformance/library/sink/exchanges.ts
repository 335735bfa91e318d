import type { Redactor } from '../../engine/redact/redactor.ts';
import { REDACTED } from '../../engine/redact/secrets.ts';
import type { Exchange } from '../../engine/result.ts';
import { type CapturedRequest, isGzip } from './captured-request.ts';

const MAX_SHOWN = 5;
const MAX_TEXT = 8_192;

/** Requests as a report shows them: not too many, not too long, and without the key. */
export function toExchanges(requests: readonly CapturedRequest[], redactor: Redactor): Exchange[] {
  const clean = (text: string): string => redactor.clean(text);
  return requests.slice(0, MAX_SHOWN).map(({ method, url, headers, body, text, fault, answered, at, wall }) => ({
    startedAt: new Date(wall).toISOString(),
    request: {
      method,
      url: clean(url),
      headers: headers.map(([name, value]) => [name, name === 'api-key' ? REDACTED : clean(value)]),
      ...(body.length === 0 ? {} : redactor.truncate(isGzip(body) ? `(gzip) ${text}` : text, MAX_TEXT)),
      ...(fault === 'endless' ? { truncated: true } : {}),
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
