import { isReceipt } from '../answer.ts';
import { type CapturedRequest, isAskedFor, type SentEvent } from '../captured-request.ts';
import { findLeaks } from '../canaries.ts';
import { listEvents, type Recording } from '../recording.ts';
import { type CaseOutcome, fail, failOn, type Found, PASSED, skip } from '../outcome.ts';
import type { LibraryCase } from './case.ts';

/** What all requests together have to be like. */
export const deliveryCases: readonly LibraryCase[] = [
  {
    id: 'values/never-sent',
    clauses: ['INSPECTOR-3'],
    title: 'No value of a property is sent, in whatever encoding',
    judge: (recordings) => {
      if (recordings.every(({ canaries }) => canaries.length === 0))
        return skip('No values are known: use --driver, or tell them with --canary.');
      return overAll(recordings, ({ requests, canaries }) => {
        const all = new Set(canaries);
        return requests.flatMap((captured) => findLeaks(captured, all).map((problem) => ({ problem, captured })));
      });
    },
  },
  {
    id: 'sends/all',
    clauses: ['INSPECTOR-TRACK-1', 'INSPECTOR-1', 'INSPECTOR-EVENTS-1'],
    title: 'Every event that is tracked is sent',
    judge: (recordings) => {
      const complete = recordings.filter(({ isComplete }) => isComplete);
      if (complete.length === 0) return skip('Needs a driver: --driver.');
      if (complete.every(({ attempts }) => attempts.every(({ batch }) => batch === undefined)))
        return skip('What is sent has another format than Branchline’s.');
      const missing = complete.flatMap((recording) =>
        recording.tracked.filter(
          ({ eventName }) => !recording.reminders.has(eventName) && !recording.isDelivered(eventName),
        ),
      );
      if (missing.length === 0) return PASSED;
      return fail(`${missing.length} events did not come, such as "${missing[0]?.eventName}".`);
    },
  },
  {
    id: 'sends/only',
    clauses: ['INSPECTOR-PROFILE-ONCE-1'],
    title: 'Nothing is sent that was not tracked',
    judge: known((recording) => {
      const names = new Set(recording.tracked.map(({ eventName }) => eventName));
      return events(recording)
        .filter(({ event }) => !names.has(event.eventName))
        .map(({ event, captured }) => ({ problem: `"${event.eventName}" was sent, and never tracked.`, captured }));
    }),
  },
  {
    id: 'sends/order',
    clauses: ['INSPECTOR-PROFILE-ORDER-1'],
    title: 'Events come in the order in which they were tracked',
    judge: known((recording) => {
      const place = new Map(recording.tracked.map(({ eventName }, index) => [eventName, index]));
      const firsts = firstOfEach(events(recording)).filter(({ event }) => place.has(event.eventName));
      const wrong = firsts.filter(
        ({ event }, index) =>
          (place.get(event.eventName) ?? 0) < (place.get(firsts[index - 1]?.event.eventName ?? '') ?? 0),
      );
      return wrong.map(({ event, captured }) => ({
        problem: `"${event.eventName}" came after a later one.`,
        captured,
      }));
    }),
  },
  {
    id: 'ids/message',
    clauses: ['INSPECTOR-PROFILE-IDS-1'],
    title: 'An event keeps its messageId, and shares it with no other',
    judge: sent((recording) => [...sharedIds(recording), ...changedIds(recording)]),
  },
  {
    id: 'ids/batch',
    clauses: ['INSPECTOR-PROFILE-IDS-2'],
    title: 'A batch that is sent again keeps its batchId',
    judge: sent(batchIds),
  },
  {
    id: 'once/accepted',
    clauses: ['INSPECTOR-PROFILE-ONCE-2'],
    title: 'What a receipt accepted is not sent again',
    judge: sent((recording) => sentAgain(recording, 'accepted')),
  },
  {
    id: 'once/rejected',
    clauses: ['INSPECTOR-PROFILE-ONCE-3'],
    title: 'What a receipt rejected is not sent again',
    judge: sent((recording) => sentAgain(recording, 'rejected')),
  },
  {
    id: 'host/no-failure',
    clauses: ['INSPECTOR-PROFILE-HOST-2'],
    title: 'Tracking never fails in the app',
    judge: (recordings) => {
      const all = recordings.flatMap(({ tracked }) => tracked);
      if (all.length === 0) return skip('Needs a driver: --driver.');
      const [first] = all.flatMap(({ problem }) => problem ?? []);
      return first === undefined ? PASSED : fail(`Tracking an event failed: ${first}`);
    },
  },
  {
    id: 'retry/after-seconds',
    clauses: ['INSPECTOR-PROFILE-RETRY-5'],
    title: 'Retry-After in seconds is obeyed',
    judge: waits('seconds'),
  },
  {
    id: 'retry/after-date',
    clauses: ['INSPECTOR-PROFILE-RETRY-6'],
    title: 'Retry-After as a date is obeyed',
    judge: waits('date'),
  },
];

function overAll(recordings: readonly Recording[], find: (recording: Recording) => readonly Found[]): CaseOutcome {
  return failOn(recordings.flatMap(find));
}

/** Judges where something was sent. */
function sent(find: (recording: Recording) => readonly Found[]): LibraryCase['judge'] {
  return (recordings) => {
    if (recordings.every((recording) => events(recording).length === 0)) return skip('No batch was sent.');
    return overAll(recordings, find);
  };
}

/** Judges where it is known what was tracked. */
function known(find: (recording: Recording) => readonly Found[]): LibraryCase['judge'] {
  return (recordings) => {
    if (recordings.every(({ tracked }) => tracked.length === 0)) return skip('Needs a driver: --driver.');
    return sent(find)(recordings);
  };
}

interface Sighting {
  readonly event: SentEvent;
  readonly captured: CapturedRequest;
}

function events({ attempts }: Recording): Sighting[] {
  return attempts.flatMap((captured) => listEvents(captured).map((event) => ({ event, captured })));
}

function firstOfEach(sightings: readonly Sighting[]): Sighting[] {
  return [...Map.groupBy(sightings, ({ event }) => event.eventName).values()].flatMap(([first]) => first ?? []);
}

function sharedIds(recording: Recording): Found[] {
  const twiceInOne = recording.attempts
    .filter(
      (captured) => new Set(listEvents(captured).map(({ messageId }) => messageId)).size < listEvents(captured).length,
    )
    .map((captured) => ({ problem: 'Two events of a batch have the same messageId.', captured }));
  const groups = [...Map.groupBy(events(recording), ({ event }) => event.messageId).values()];
  const shared = groups.flatMap(([first, ...more]) =>
    first === undefined ? [] : more.filter((one) => !isSame(one.event, first.event)).map(({ captured }) => captured),
  );
  return [...twiceInOne, ...shared.map((captured) => ({ problem: 'Two events have the same messageId.', captured }))];
}

/** One of them may have the id of its shape instead of its schema. */
function isSame(a: SentEvent, b: SentEvent): boolean {
  if (a.eventName !== b.eventName) return false;
  return a.shapeId !== b.shapeId || JSON.stringify(a.schema) === JSON.stringify(b.schema);
}

function changedIds(recording: Recording): Found[] {
  const names = new Set(recording.recognizable.map(({ eventName }) => eventName));
  const groups = [...Map.groupBy(events(recording), ({ event }) => event.eventName)].filter(([name]) =>
    names.has(name),
  );
  return groups.flatMap(([name, [first, ...more]]) =>
    more
      .filter(({ event }) => event.messageId !== first?.event.messageId)
      .map(({ captured }) => ({ problem: `"${name}" came again under another messageId.`, captured })),
  );
}

/** A batch is known again by its messageIds, an id that is used twice by the names under it. */
function batchIds({ attempts }: Recording): Found[] {
  const idsByMessages = new Map<string, string>();
  const namesById = new Map<string, string>();
  return attempts.flatMap((captured) => {
    if (captured.batch === undefined) return [];
    const { batchId } = captured.batch;
    const messages = sortedText(captured, 'messageId');
    const id = remember(idsByMessages, messages, batchId);
    // What was asked for again may come in another batch.
    if (captured.unknownShapeIds?.length) idsByMessages.delete(messages);
    if (id !== batchId) return [{ problem: 'A batch came again under another batchId.', captured }];
    const names = sortedText(captured, 'eventName');
    if (remember(namesById, batchId, names) === names) return [];
    return [{ problem: 'Two batches have the same batchId.', captured }];
  });
}

function sortedText(captured: CapturedRequest, field: 'messageId' | 'eventName'): string {
  return JSON.stringify(
    listEvents(captured)
      .map((event) => event[field])
      .toSorted(),
  );
}

/** The value that a key had first. */
function remember(firsts: Map<string, string>, key: string, value: string): string {
  const first = firsts.get(key) ?? value;
  firsts.set(key, first);
  return first;
}

function sentAgain({ attempts }: Recording, what: 'accepted' | 'rejected'): Found[] {
  const settledAt = new Map<string, number>();
  for (const captured of attempts) {
    const { answer, answered } = captured;
    if (answer === undefined || answered === undefined || !isReceipt(answer)) continue;
    const { rejecting = 0 } = answer;
    const all = listEvents(captured);
    const others = all.slice(rejecting).filter((event) => !isAskedFor(event, captured));
    for (const event of what === 'rejected' ? all.slice(0, rejecting) : others)
      settledAt.set(identify(event), Math.min(answered.at, settledAt.get(identify(event)) ?? Infinity));
  }
  return attempts.flatMap((captured) =>
    listEvents(captured)
      .filter((event) => captured.at > (settledAt.get(identify(event)) ?? Infinity))
      .map(({ eventName }) => ({ problem: `"${eventName}" was ${what} and was sent again.`, captured })),
  );
}

function identify({ messageId, eventName }: SentEvent): string {
  return `${messageId} ${eventName}`;
}

const CLOCK_TOLERANCE_MS = 20;

function waits(form: 'seconds' | 'date'): LibraryCase['judge'] {
  return (recordings) => {
    const asked = recordings.flatMap(({ attempts, environment }) =>
      attempts.flatMap(({ answer, answered }) => {
        if (answer?.kind !== 'refused' || answer.retryAfter?.form !== form || answered?.notBefore === undefined)
          return [];
        const after = attempts.filter((attempt) => attempt.at > answered.at);
        return [{ after, status: answer.status, notBefore: answered.notBefore, isDriven: environment !== undefined }];
      }),
    );
    if (asked.length === 0) return skip(`No answer had a Retry-After in this form (${form}).`);
    const silent = asked.find(({ after }) => after.length === 0);
    if (silent?.isDriven === true) return fail(`After a ${silent.status} with Retry-After, no request came any more.`);
    if (silent !== undefined) return skip('No request came after a Retry-After.');
    return failOn(
      asked.flatMap(({ after, notBefore }) =>
        after
          .filter(({ at }) => at < notBefore - CLOCK_TOLERANCE_MS)
          .map((captured) => {
            const early = ((notBefore - captured.at) / 1_000).toFixed(1);
            return { problem: `A request came ${early} s before the Retry-After (${form}) had passed.`, captured };
          }),
      ),
    );
  };
}
