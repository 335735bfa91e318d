import type { HostileForm } from '../load/hostile-batch.ts';
import type { HostilePlan, HostileResult } from '../load/hostile.ts';
import { describeAnswers } from '../load/answers.ts';
import { prepareLoad } from '../load/load-process.ts';
import { mebibytes, whole } from '../numbers.ts';
import type { Scenario } from './scenario.ts';
import { INGEST_PATH } from './tenants.ts';
import { measureUnderAttack } from './under-attack.ts';

/** After which an attack is given up. */
const BOUND_SECONDS = 60;

/** As many batches of a key may come at once, and in each second. */
const RATE_LIMIT = 50;

/** One key sends, all at once and within its rate limit, as many properties as fit. */
export const freshProperties = sending('Fresh properties', {
  full: { kind: 'freshProperties', batches: 30, events: 64, properties: 500 },
  quick: { kind: 'freshProperties', batches: 3, events: 8, properties: 500 },
  perSecond: 1_000,
});

/** One key sends, as fast as its rate limit lets it, batches of some 600 KB of which nothing is accepted. */
export const refusedEvents = sending('Refused events', {
  full: { kind: 'refused', batches: 750, events: 1_000, properties: 12 },
  quick: { kind: 'refused', batches: 50, events: 1_000, properties: 12 },
  perSecond: RATE_LIMIT - 1,
});

/** One key sends, as fast, new events of as many lists in lists as the contract allows. */
export const nestedLists = sending('Nested lists', {
  full: { kind: 'nestedLists', batches: 750, events: 16, lists: 16, levels: 9 },
  quick: { kind: 'nestedLists', batches: 25, events: 16, lists: 16, levels: 9 },
  perSecond: RATE_LIMIT - 1,
});

/** One key sends, as fast, new events without properties, whose names are as long as fit. */
export const freshNames = sending('Fresh names', {
  full: { kind: 'names', batches: 100, events: 950, names: 7_600, versions: 100, characters: 820 },
  quick: { kind: 'names', batches: 3, events: 950, names: 7_600, versions: 100, characters: 820 },
  perSecond: RATE_LIMIT - 1,
});

/** One key sends, 8 times a second, events of as many names as it may bring; after the first ones all are known. */
export const manyNames = sending('Many names', {
  full: { kind: 'names', batches: 320, events: 1_000, names: 8_000, versions: 4, characters: 1 },
  quick: { kind: 'names', batches: 12, events: 1_000, names: 2_000, versions: 2, characters: 1 },
  perSecond: 8,
});

interface Sending {
  full: HostileForm & { batches: number };
  quick: HostileForm & { batches: number };
  perSecond: number;
}

function sending(title: string, forms: Sending): Scenario {
  return {
    title,
    targets: { '/livez': 50, 'Create Branch': 250 },
    async run(installation, quick) {
      const { server, attacker } = installation;
      const form = quick ? forms.quick : forms.full;
      const load = await prepareLoad<HostilePlan, HostileResult>('bench/load/hostile.ts', {
        origin: server.origin,
        path: INGEST_PATH,
        apps: [attacker.app],
        form,
        connections: Math.min(form.batches, RATE_LIMIT),
        perSecond: forms.perSecond,
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
}
