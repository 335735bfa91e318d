import { isJsonObject, type JsonObject } from '@branchline/contract';
import { type CapturedRequest, isGzip, MAX_BODY_BYTES, MAX_EVENTS, MAX_READ_BYTES } from '../captured-request.ts';
import { findHeader } from '../../../engine/http/client.ts';
import { envelopeProblems, eventProblems } from '../batch-validator.ts';
import type { Recording } from '../recording.ts';
import { formatSchema } from '../schema-text.ts';
import { computeShapeId } from '../shape-id.ts';
import { type CaseOutcome, failOn, skip } from '../outcome.ts';
import type { LibraryCase } from './case.ts';

const PATH = '/inspector/batches/v1';

/** What every single request has to be like. */
export const wireCases: readonly LibraryCase[] = [
  each(
    'wire/path',
    ['INSPECTOR-PROFILE-WIRE-1'],
    'Batches are posted to the documented path',
    ({ method, url, fault }) => {
      if (fault === 'garbage') return ['What was sent is no request of HTTP; the endpoint is "http", not "https".'];
      return method === 'POST' && url === PATH ? [] : [`A batch was sent by ${method} ${url}; it is POST ${PATH}.`];
    },
    'garbage',
  ),
  each('wire/key', ['INSPECTOR-PROFILE-KEY-1'], 'The API key is in its header', (attempt, { apiKey }) => {
    const sent = findHeader(attempt, 'api-key');
    if (sent === undefined) return ['A batch came without the header "api-key".'];
    return apiKey === undefined || sent === apiKey
      ? []
      : ['The header "api-key" has not the key that the app was given.'];
  }),
  each('wire/key-nowhere-else', ['INSPECTOR-PROFILE-KEY-2'], 'The API key is nowhere else', (attempt, recording) => {
    const apiKey = recording.apiKey ?? findHeader(attempt, 'api-key');
    if (apiKey === undefined || apiKey === '') return [];
    const others = attempt.headers.filter(([name]) => name !== 'api-key').map(([, value]) => value);
    const isElsewhere = [attempt.url, attempt.text, ...others].some((text) => text.includes(apiKey));
    return isElsewhere ? ['The API key is not only in its header.'] : [];
  }),
  each('wire/content-type', ['INSPECTOR-PROFILE-WIRE-2'], 'The body says that it is JSON', (attempt) => {
    const type = findHeader(attempt, 'content-type');
    if (type !== undefined && /^application\/json(\s*;\s*charset="?utf-8"?)?\s*$/i.test(type)) return [];
    return [`The content type is ${type === undefined ? 'missing' : JSON.stringify(type)}; it is "application/json".`];
  }),
  each('wire/encoding', ['INSPECTOR-PROFILE-GZIP-1'], 'A compressed body is gzip, and says so', encodingProblems),
  each('wire/size', ['INSPECTOR-PROFILE-LIMITS-1'], 'A body has at most 1 MiB', (attempt) => {
    if (!isTooLarge(attempt)) return [];
    return [`A body has ${describeSize(attempt)} bytes; at most ${MAX_BODY_BYTES} are allowed.`];
  }),
  each(
    'wire/envelope',
    ['INSPECTOR-PROFILE-ENVELOPE-1'],
    'The envelope is as the contract wants it',
    (attempt) => {
      const { batch, body, fault } = attempt;
      if (fault === 'broken') return [`A request broke off after ${body.length} bytes of its body.`];
      if (batch !== undefined) return envelopeProblems(withFewEvents(batch.json));
      return isTooLarge(attempt) ? [] : ['The body is no batch: a JSON object with "events".'];
    },
    'broken',
  ),
  each('wire/events', ['INSPECTOR-PROFILE-EVENT-1'], 'Each event is as the contract wants it', ({ batch }) =>
    eventsIn(batch?.json).slice(0, MAX_EVENTS).flatMap(eventProblems),
  ),
  each(
    'wire/environment',
    ['INSPECTOR-PROFILE-ENVIRONMENT-1'],
    'The environment is the app’s',
    ({ batch }, { environment }) => {
      const sent = batch?.json['environment'];
      if (environment === undefined || batch === undefined || sent === environment) return [];
      return [`The app runs in ${environment}, and the batch says ${JSON.stringify(sent)}.`];
    },
  ),
  each(
    'wire/schema',
    ['INSPECTOR-PROFILE-SCHEMA-1'],
    'The schema is that of the properties',
    ({ batch }, { tracked }) =>
      (batch?.events ?? []).flatMap(({ eventName, schema, shapeId }) => {
        const wanted = tracked.find((event) => event.eventName === eventName)?.schema;
        if (wanted === undefined) return [];
        const id = computeShapeId(eventName, wanted);
        if (shapeId === id || (shapeId === undefined && formatSchema(wanted) === formatSchema(schema))) return [];
        if (shapeId !== undefined) return [`An event was sent with the shapeId "${shapeId}"; it is "${id}".`];
        return [`An event was sent as (${formatSchema(schema)}); it is (${formatSchema(wanted)}).`];
      }),
  ),
];

function each(
  id: string,
  clauses: readonly [string, ...string[]],
  title: string,
  problemsOf: (attempt: CapturedRequest, recording: Recording) => readonly string[],
  /** What is looked at besides the attempts to send. */
  besides?: 'garbage' | 'broken',
): LibraryCase {
  const listSeen = ({ attempts, requests }: Recording): readonly CapturedRequest[] =>
    besides === undefined ? attempts : [...attempts, ...requests.filter(({ fault }) => fault === besides)];
  const judge = (recordings: readonly Recording[]): CaseOutcome => {
    if (recordings.every((recording) => listSeen(recording).length === 0)) return skip('Nothing was sent.');
    return failOn(
      recordings.flatMap((recording) =>
        listSeen(recording).flatMap((captured) =>
          problemsOf(captured, recording).map((problem) => ({ problem, captured })),
        ),
      ),
    );
  };
  return { id, clauses, title, judge };
}

function isTooLarge({ body, text, fault }: CapturedRequest): boolean {
  return fault === 'endless' || fault === 'bomb' || Math.max(body.length, Buffer.byteLength(text)) > MAX_BODY_BYTES;
}

function describeSize({ body, text, fault }: CapturedRequest): string {
  if (fault === 'endless' || fault === 'bomb') return `more than ${MAX_READ_BYTES}`;
  return String(Math.max(body.length, Buffer.byteLength(text)));
}

function eventsIn(batch: unknown): readonly unknown[] {
  return isJsonObject(batch) && Array.isArray(batch['events']) ? batch['events'] : [];
}

/** One more than is allowed: the problems of millions of events say nothing new. */
function withFewEvents(batch: JsonObject): unknown {
  return { ...batch, events: eventsIn(batch).slice(0, MAX_EVENTS + 1) };
}

function encodingProblems(attempt: CapturedRequest): string[] {
  const { body, fault } = attempt;
  const encoding = findHeader(attempt, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'gzip' && encoding !== 'identity')
    return [`The content encoding is "${encoding}"; there is only gzip.`];
  if (encoding === 'identity') return isGzip(body) ? ['A body is gzip, and does not say so.'] : [];
  if (!isGzip(body)) return ['A body is said to be gzip, and is not.'];
  return fault === 'unreadable' ? ['A body is gzip that can not be read.'] : [];
}
