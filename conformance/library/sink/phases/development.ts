import type { Reply } from '../driver.ts';
import type { Phase } from '../phase.ts';
import { listEvents } from '../recording.ts';
import { formatSchema } from '../schema-text.ts';
import type { PhaseRun } from '../phase-run.ts';
import { TIMING } from '../timing.ts';
import { type CaseOutcome, fail, PASSED, observe, skip } from '../outcome.ts';

const SINGLE = 3;
const BURST = 5;

/** Development: batching is disabled. */
export const development: Phase = {
  name: 'development',
  environment: 'dev',
  seconds: 2,
  run: async (phaseRun) => {
    await phaseRun.start();
    phaseRun.judge('batching/development', await oneByOne(phaseRun));
    const given = [
      { name: 'count', type: 'int' },
      { name: 'title', type: 'string' },
    ];
    const { eventName, reply } = await phaseRun.trackSchema(given);
    await phaseRun.delivered();
    phaseRun.judge('sends/given-schema', givenSchema(phaseRun, eventName, reply, given));
    const before = phaseRun.attempts.length;
    await phaseRun.track(BURST);
    await phaseRun.delivered();
    phaseRun.recording.isComplete = true;
    const sizes = phaseRun.attempts.slice(before).map((attempt) => listEvents(attempt).length);
    phaseRun.judge('observed/development', observe(`${BURST} events in a row came in batches of ${sizes.join(', ')}.`));
  },
};

async function oneByOne(phaseRun: PhaseRun): Promise<CaseOutcome> {
  const { prompt } = TIMING;
  for (let index = 0; index < SINGLE; index += 1) {
    const before = phaseRun.attempts.length;
    await phaseRun.track(1);
    if (!(await phaseRun.attempted(before + 1, prompt))) {
      return fail(`An event was tracked in development, and no send was attempted within ${prompt} s.`);
    }
    await phaseRun.answered(before + 1);
  }
  return PASSED;
}

function givenSchema(phaseRun: PhaseRun, eventName: string, reply: Reply, given: readonly unknown[]): CaseOutcome {
  if (!reply.ok) return skip('The driver can not track a schema.');
  const attempt = phaseRun.attempts.find(({ text }) => text.includes(eventName));
  if (attempt === undefined) return fail('A schema that was given to the library itself did not come.');
  const sent = listEvents(attempt).find((event) => event.eventName === eventName);
  if (sent === undefined) return skip('What is sent has another format than Branchline’s.');
  if (formatSchema(sent.schema) === formatSchema(given)) return PASSED;
  return fail(`The schema (${formatSchema(given)}) was sent as (${formatSchema(sent.schema)}).`, [attempt]);
}
