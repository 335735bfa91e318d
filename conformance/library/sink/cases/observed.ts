import { isJsonObject } from '@branchline/contract';
import { type Arrival, headerOf, isGzip } from '../captured-request.ts';
import { eventsOf, type Recording } from '../recording.ts';
import { type Verdict, saw, skipped } from '../outcome.ts';
import type { LibraryCase } from './case.ts';

/** What the documents leave open; it is told, and not judged. */
export const observedCases: readonly LibraryCase[] = [
  seen('observed/address', ['INSPECTOR-WIRE-OPEN-1'], 'Where and how schemas are sent', (attempts) =>
    distinct(
      attempts.map((attempt) => `${attempt.method} ${attempt.url}, ${headerOf(attempt, 'content-type') ?? 'no type'}`),
    ),
  ),
  {
    id: 'observed/key',
    clauses: ['INSPECTOR-KEY-OPEN-1'],
    title: 'How the API key is sent',
    judge: (recordings) =>
      observe(recordings, (_, recording) => distinct(recording.attempts.flatMap((one) => keyIn(one, recording)))),
  },
  seen('observed/types', ['INSPECTOR-INSTANCE-OPEN-1'], 'The schema types in use', (attempts) =>
    distinct(attempts.flatMap(eventsOf).flatMap(({ schema }) => typesIn(schema))),
  ),
  seen('observed/sender', ['INSPECTOR-VERSION-OPEN-1'], 'What the library says of itself', (attempts) =>
    distinct(attempts.flatMap(({ batch }) => (batch === undefined ? [] : [JSON.stringify(batch.json['library'])]))),
  ),
  seen('observed/transport', ['INSPECTOR-EVENTS-OPEN-1'], 'How the library uses HTTP', (attempts) => {
    const zipped = attempts.filter(({ body }) => isGzip(body)).length;
    const agents = distinct(attempts.map((attempt) => headerOf(attempt, 'user-agent') ?? 'no user agent'));
    return `${attempts.length} requests, ${zipped} of them gzip; ${agents}`;
  }),
];

function seen(
  id: string,
  clauses: readonly [string, ...string[]],
  title: string,
  what: (attempts: readonly Arrival[]) => string,
): LibraryCase {
  return { id, clauses, title, judge: (recordings) => observe(recordings, what) };
}

function observe(
  recordings: readonly Recording[],
  what: (attempts: readonly Arrival[], recording: Recording) => string,
): Verdict {
  const busy = recordings.filter(({ attempts }) => attempts.length > 0);
  const [first] = busy;
  if (first === undefined) return skipped('Nothing was sent.');
  const text = what(
    busy.flatMap(({ attempts }) => attempts),
    first,
  );
  return text === '' ? skipped('It can not be read from what was sent.') : saw(text);
}

function keyIn(attempt: Arrival, { apiKey }: Recording): string[] {
  const key = apiKey ?? headerOf(attempt, 'api-key');
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
