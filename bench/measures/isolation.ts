import { calm } from '../isolation/calm.ts';
import { type Checkout, checkoutsOf } from '../isolation/checkouts.ts';
import { type Engine, startPostgres, startSqlite } from '../isolation/engines.ts';
import { freshNames, freshProperties, manyNames, nestedLists, refusedEvents } from '../isolation/hostile-batches.ts';
import { install } from '../isolation/installation.ts';
import { manyCreates, manyReads, wrongCredentials } from '../isolation/floods.ts';
import { manyNewVersions, manyTenants } from '../isolation/many-tenants.ts';
import { manyVersions } from '../isolation/many-versions.ts';
import type { Outcome, Scenario } from '../isolation/scenario.ts';
import { slowExports } from '../isolation/slow-exports.ts';
import { warmUp } from '../isolation/steady-work.ts';
import { tablesOf, type Trial } from '../isolation/tables.ts';
import { workspaceDelete } from '../isolation/workspace-delete.ts';
import type { Measure } from '../measure.ts';

const SCENARIOS: readonly Scenario[] = [
  calm,
  freshProperties,
  refusedEvents,
  nestedLists,
  freshNames,
  manyNames,
  manyVersions,
  slowExports,
  workspaceDelete,
  manyCreates,
  manyReads,
  wrongCredentials,
  manyTenants,
  manyNewVersions,
];

export const isolation: Measure = {
  name: 'isolation',
  describe: 'what one tenant feels of what another does, on both engines; --against measures an older checkout too',
  async run({ quick, against }) {
    const checkouts = await checkoutsOf(against);
    const trials = new Map<Scenario, Trial[]>(SCENARIOS.map((scenario) => [scenario, []]));
    for (const startEngine of [startSqlite, startPostgres]) {
      const engine = await startEngine();
      try {
        for (const [scenario, done] of trials) {
          for (const checkout of checkouts) {
            const where = `${engine.name}, ${checkout.name}`;
            process.stderr.write(`${scenario.title} on ${where}\n`);
            done.push({ where, outcome: await runOnce(scenario, checkout, engine, quick) });
          }
        }
      } finally {
        await engine.remove();
      }
    }
    return {
      title: 'Isolation of tenants',
      about:
        'A real server with default limits; one workspace attacks it while another works at a steady pace: 50 times a second /livez, 20 creates and 10 ' +
        'batches of known shapes. Requests are sent by a schedule, and their time counts from when they were due, so a server that stands still hides ' +
        'nothing. Those without an answer 15 s after the attack are given up, and count as unanswered with the time until then. Each attack finds a ' +
        'fresh database. The processor time has the steady work in it. Attack, steady work and server share the processors of the machine.',
      tables: [...trials].flatMap(([scenario, done]) => tablesOf(scenario, done)),
    };
  },
};

async function runOnce(scenario: Scenario, checkout: Checkout, engine: Engine, quick: boolean): Promise<Outcome> {
  const installation = await install(checkout, engine);
  try {
    await warmUp(installation, quick ? 0.5 : 3);
    return await scenario.run(installation, quick);
  } finally {
    await installation.remove();
  }
}
