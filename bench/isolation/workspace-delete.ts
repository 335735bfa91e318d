import { setTimeout as delay } from 'node:timers/promises';
import type { BatchForm } from '../load/batch.ts';
import { decimals, whole } from '../numbers.ts';
import type { Scenario } from './scenario.ts';
import { fill } from './steady-work.ts';
import { INGEST_PATH, newAccount, UNLIMITED } from './tenants.ts';
import { measureUnderAttack } from './under-attack.ts';

const FULL = { branches: 60_000, batches: 600 };
const QUICK = { branches: 1_000, batches: 5 };

/** Ids that lie all over an index take longest to delete. */
const EVENTS: BatchForm = { batchSize: 500, shapes: 5_000, ids: 'random' };

/** Below the rate limit of a key. */
const BATCHES_PER_SECOND = 40;

/** How long the others are watched after the delete. */
const AFTERWARDS_MS = 500;

/** The operator deletes a big workspace. */
export const workspaceDelete: Scenario = {
  title: 'Workspace delete',
  async run(installation, quick) {
    const { server, attacker, command } = installation;
    const { branches, batches } = quick ? QUICK : FULL;
    await fill({
      origin: server.origin,
      work: { kind: 'create', path: attacker.branches },
      headers: await newAccount(attacker.workspace, command, ...UNLIMITED),
      times: branches,
      connections: 32,
      perSecond: 5_000,
    });
    await fill({
      origin: server.origin,
      work: { kind: 'ingest', path: INGEST_PATH, ...EVENTS },
      headers: attacker.app,
      times: batches,
      connections: 4,
      perSecond: BATCHES_PER_SECOND,
    });
    return measureUnderAttack(installation, async () => {
      const begun = performance.now();
      const failure = await command('workspace', 'delete', attacker.workspace, '--yes').then(() => undefined, String);
      const seconds = (performance.now() - begun) / 1_000;
      await delay(AFTERWARDS_MS);
      return {
        Workspace: `${whole(branches)} branches, ${whole(batches * EVENTS.batchSize)} events`,
        'Delete took s': failure === undefined ? decimals(seconds) : `failed after ${decimals(seconds)}: ${failure}`,
      };
    });
  },
};
