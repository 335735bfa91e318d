import type { Reply } from '../driver.ts';
import type { Phase } from '../phase.ts';
import { eventsOf } from '../recording.ts';
import { schemaText } from '../schema-text.ts';
import type { Stage } from '../phase-run.ts';
import { TIMING } from '../timing.ts';
import { type Verdict, failed, PASSED, saw, skipped } from '../outcome.ts';

const SINGLE = 3;
const BURST = 5;

/** Development: batching is disabled. */
export const development: Phase = {
  name: 'development',
  environment: 'dev',
  seconds: 2,
  run: async (stage) => {
    await stage.start();
    stage.judge('batching/development', await oneByOne(stage));
    const given = [
      { name: 'count', type: 'int' },
      { name: 'title', type: 'string' },
    ];
    const { eventName, reply } = await stage.trackSchema(given);
    await stage.delivered();
    stage.judge('sends/given-schema', givenSchema(stage, eventName, reply, given));
    const before = stage.attempts.length;
    await stage.track(BURST);
    await stage.delivered();
    stage.recording.isComplete = true;
    const sizes = stage.attempts.slice(before).map((attempt) => eventsOf(attempt).length);
    stage.judge('observed/development', saw(`${BURST} events in a row came in batches of ${sizes.join(', ')}.`));
  },
};

async function oneByOne(stage: Stage): Promise<Verdict> {
  const { prompt } = TIMING;
  for (let index = 0; index < SINGLE; index += 1) {
    const before = stage.attempts.length;
    await stage.track(1);
    if (!(await stage.attempted(before + 1, prompt))) {
      return failed(`An event was tracked in development, and no send was attempted within ${prompt} s.`);
    }
    await stage.answered(before + 1);
  }
  return PASSED;
}

function givenSchema(stage: Stage, eventName: string, reply: Reply, given: readonly unknown[]): Verdict {
  if (!reply.ok) return skipped('The driver can not track a schema.');
  const attempt = stage.attempts.find(({ text }) => text.includes(eventName));
  if (attempt === undefined) return failed('A schema that was given to the library itself did not come.');
  const sent = eventsOf(attempt).find((event) => event.eventName === eventName);
  if (sent === undefined) return skipped('What is sent has another format than Branchline’s.');
  if (schemaText(sent.schema) === schemaText(given)) return PASSED;
  return failed(`The schema (${schemaText(given)}) was sent as (${schemaText(sent.schema)}).`, [attempt]);
}
