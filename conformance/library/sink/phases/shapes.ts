import { TAKEN } from '../answer.ts';
import { type CapturedRequest, isAskedFor } from '../captured-request.ts';
import type { Phase } from '../phase.ts';
import type { PhaseRun } from '../phase-run.ts';
import { listEvents } from '../recording.ts';
import { BATCH_SIZE, FLUSH_SECONDS, TIMING } from '../timing.ts';
import { type CaseOutcome, fail, PASSED, skip } from '../outcome.ts';

/** The service knows the shape of an event that the app tracks over and over, and later knows it no more. */
export const forgotten: Phase = {
  name: 'forgotten',
  environment: 'prod',
  seconds: 5,
  script: () => (_, index) => (index === 1 ? { kind: 'taken', forgetting: true } : TAKEN),
  run: async (phaseRun) => {
    await phaseRun.start();
    const eventName = await phaseRun.trackSame(BATCH_SIZE);
    await phaseRun.answered(1);
    await phaseRun.settle();
    await phaseRun.trackSame(BATCH_SIZE, eventName);
    await phaseRun.answered(2);
    phaseRun.judge('shapes/asked-for', await judgeAskedFor(phaseRun));
    await phaseRun.settle();
  },
};

async function judgeAskedFor(phaseRun: PhaseRun): Promise<CaseOutcome> {
  const asking = phaseRun.attempts.find(({ unknownShapeIds = [] }) => unknownShapeIds.length > 0);
  if (asking === undefined) return skip('No ids of shapes were sent.');
  const asked = listEvents(asking).filter((event) => isAskedFor(event, asking));
  const countMissing = (): number => Math.max(0, asked.length - countWithSchema(phaseRun, asking));
  const seconds = FLUSH_SECONDS + TIMING.margin;
  if (await phaseRun.recording.until(() => countMissing() === 0, seconds)) return PASSED;
  const text = `A receipt asked for the schemas of ${asked.length} events by "unknownShapeIds"; ${countMissing()} of them did not come again with a schema within ${seconds} s.`;
  return fail(text, phaseRun.attempts.slice(0, 3));
}

/** All events of the phase are of one name. */
function countWithSchema({ attempts }: PhaseRun, asking: CapturedRequest): number {
  const later = attempts.filter(({ at }) => at > asking.at).flatMap(listEvents);
  return later.filter(({ schema }) => Array.isArray(schema)).length;
}
