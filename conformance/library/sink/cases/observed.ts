import { isJsonObject } from '@branchline/contract';
import { type CapturedRequest, isGzip } from '../captured-request.ts';
import { findHeader } from '../../../engine/http/client.ts';
import { listEvents, type Recording } from '../recording.ts';
import { type CaseOutcome, observe, skip } from '../outcome.ts';
import type { LibraryCase } from './case.ts';

/** What the documents leave open: reported, but not judged. */
export const observedCases: readonly LibraryCase[] = [
  createObserved('observed/address', ['INSPECTOR-WIRE-OPEN-1'], 'Where and how schemas are sent', (attempts) =>
    distinct(
      attempts.map(
        (attempt) => `${attempt.method} ${attempt.url}, ${findHeader(attempt, 'content-type') ?? 'no type'}`,
      ),
    ),
  ),
  {
    id: 'observed/key',
    clauses: ['INSPECTOR-KEY-OPEN-1'],
    title: 'How the API key is sent',
    judge: (recordings) =>
      observeAttempts(recordings, (_, recording) =>
        distinct(recording.attempts.flatMap((one) => keyIn(one, recording))),
      ),
  },
  createObserved('observed/types', ['INSPECTOR-INSTANCE-OPEN-1'], 'The schema types in use', (attempts) =>
    distinct(attempts.flatMap(listEvents).flatMap(({ schema }) => typesIn(schema))),
  ),
  createObserved('observed/sender', ['INSPECTOR-VERSION-OPEN-1'], 'What the library says of itself', (attempts) =>
    distinct(attempts.flatMap(({ batch }) => (batch === undefined ? [] : [JSON.stringify(batch.json['library'])]))),
  ),
  createObserved('observed/transport', ['INSPECTOR-EVENTS-OPEN-1'], 'How the library uses HTTP', (attempts) => {
    const zipped = attempts.filter(({ body }) => isGzip(body)).length;
    const agents = distinct(attempts.map((attempt) => findHeader(attempt, 'user-agent') ?? 'no user agent'));
    return `${attempts.length} requests, ${zipped} of them gzip; ${agents}`;
  }),
];

function createObserved(
  id: string,
  clauses: readonly [string, ...string[]],
  title: string,
  what: (attempts: readonly CapturedRequest[]) => string,
): LibraryCase {
  return { id, clauses, title, judge: (recordings) => observeAttempts(recordings, what) };
}

function observeAttempts(
  recordings: readonly Recording[],
  what: (attempts: readonly CapturedRequest[], recording: Recording) => string,
): CaseOutcome {
  const busy = recordings.filter(({ attempts }) => attempts.length > 0);
  const [first] = busy;
  if (first === undefined) return skip('Nothing was sent.');
  const text = what(
    busy.flatMap(({ attempts }) => attempts),
    first,
  );
  return text === '' ? skip('It can not be read from what was sent.') : observe(text);
}

function keyIn(attempt: CapturedRequest, { apiKey }: Recording): string[] {
  const key = apiKey ?? findHeader(attempt, 'api-key');
  if (key === undefined) return ['not found'];
  const headers = attempt.headers.filter(([, value]) => value.includes(key)).map(([name]) => `header "${name}"`);
  return [...headers, ...(attempt.url.includes(key) ? ['URL'] : []), ...(attempt.text.includes(key) ? ['body'] : [])];
}

function typesIn(schema: unknown): string[] {
  if (!Array.isArray(schema)) return [];
  return schema
    .filter(isJsonObject)
    .flatMap(({ type, items, properties }) => [String(type), ...typesIn(items), ...typesIn(properties)]);
}

function distinct(texts: readonly string[]): string {
  return [...new Set(texts)].toSorted().join('; ');
}
