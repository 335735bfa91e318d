import type { CapturedRequest, SentEvent } from '../captured-request.ts';
import { listEvents, type Recording, type Tracked } from '../recording.ts';
import { failOn, type Found, skip } from '../outcome.ts';
import type { LibraryCase } from './case.ts';

/** An app's clock may be another one than ours; a time zone that was forgotten is half an hour at least. */
const CLOCK_TOLERANCE_MS = 600_000;
/** A time may be cut to seconds, and taken a little after the call has returned. */
const MARGIN_MS = 3_000;

/** An event of which it is known when it was tracked. */
interface Sighting {
  readonly event: SentEvent;
  readonly captured: CapturedRequest;
  readonly tracked: Tracked;
  readonly observedAt: number;
}

/** What the times of events have to be like. */
export const timeCases: readonly LibraryCase[] = [
  {
    id: 'times/observed-at',
    clauses: ['INSPECTOR-PROFILE-EVENT-2'],
    title: 'An event says when it was tracked',
    judge: (recordings) => {
      if (recordings.every(({ tracked }) => tracked.length === 0)) return skip('Needs a driver: --driver.');
      const all = recordings.map(listSightings);
      if (all.every(({ length }) => length === 0)) return skip('No event with a time that can be read was sent.');
      const off = all.flat().flatMap(offProblem);
      return failOn(off.length > 0 ? off : all.flatMap(driftProblem));
    },
  },
];

function listSightings({ recognizable, attempts }: Recording): Sighting[] {
  const byName = new Map(recognizable.map((one) => [one.eventName, one]));
  return attempts.flatMap((captured) =>
    listEvents(captured).flatMap((event) => {
      const known = byName.get(event.eventName);
      const observedAt = Date.parse(event.observedAt);
      return known === undefined || Number.isNaN(observedAt) ? [] : [{ event, captured, tracked: known, observedAt }];
    }),
  );
}

function offProblem({ event, captured, tracked, observedAt }: Sighting): Found[] {
  const [from, to] = tracked.between;
  if (observedAt >= from - CLOCK_TOLERANCE_MS && observedAt <= to + CLOCK_TOLERANCE_MS) return [];
  const problem = `"${event.eventName}" was tracked at ${new Date(to).toISOString()}, and its observedAt is ${event.observedAt}.`;
  return [{ problem, captured }];
}

/** However far an app's clock is off, it is off by the same for all events: the earliest and the latest that they allow must agree. */
function driftProblem(sightings: readonly Sighting[]): Found[] {
  const ahead = sightings.toSorted((a, b) => leastOffset(b) - leastOffset(a))[0];
  const behind = sightings.toSorted((a, b) => mostOffset(a) - mostOffset(b))[0];
  if (ahead === undefined || behind === undefined) return [];
  if (leastOffset(ahead) - MARGIN_MS <= mostOffset(behind) + MARGIN_MS) return [];
  const apart = formatSeconds(ahead.tracked.between[1] - behind.tracked.between[1]);
  const said = formatSeconds(ahead.observedAt - behind.observedAt);
  const names = `"${behind.event.eventName}" and "${ahead.event.eventName}"`;
  return [{ problem: `${names} were tracked ${apart} apart; by observedAt it is ${said}.`, captured: ahead.captured }];
}

function leastOffset({ observedAt, tracked }: Sighting): number {
  return observedAt - tracked.between[1];
}

function mostOffset({ observedAt, tracked }: Sighting): number {
  return observedAt - tracked.between[0];
}

function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
