import type { HostileForm } from '../load/hostile-batch.ts';
import type { HostilePlan, HostileResult } from '../load/hostile.ts';
import { describeAnswers } from '../load/answers.ts';
import { prepareLoad } from '../load/load-process.ts';
import { mebibytes, whole } from '../numbers.ts';
import type { Scenario } from './scenario.ts';
import { INGEST_PATH } from './tenants.ts';
import { measureUnderAttack } from './under-attack.ts';

const FULL: HostileForm = { kind: 'freshProperties', batches: 30, events: 64, properties: 500 };
const QUICK: HostileForm = { ...FULL, batches: 3, events: 8 };

/** After which the attack is given up. */
const BOUND_SECONDS = 60;

/** One key sends, all at once and within its rate limit, as many properties as fit. */
export const freshProperties: Scenario = {
  title: 'Fresh properties',
  targets: { '/livez': 50, 'Create Branch': 250 },
  async run(installation, quick) {
    const { server, attacker } = installation;
    const form = quick ? QUICK : FULL;
    const load = await prepareLoad<HostilePlan, HostileResult>('bench/load/hostile.ts', {
      origin: server.origin,
      path: INGEST_PATH,
      apps: [attacker.app],
      form,
      connections: form.batches,
      perSecond: 1_000,
    });
    return measureUnderAttack(installation, async () => {
      const { bytes, answers, accepted, rejected } = await load.begin(BOUND_SECONDS);
      return {
        Sent: mebibytes(bytes),
        Answers: describeAnswers(answers),
        'Events accepted': whole(accepted),
        'Events rejected': whole(rejected),
        'Ended by itself': answers['unanswered'] === undefined ? 'yes' : `no, given up after ${BOUND_SECONDS} s`,
      };
    });
  },
};
