import { type Answers, describeAnswers } from '../load/answers.ts';
import type { HostilePlan, HostileResult } from '../load/hostile.ts';
import type { HostileForm } from '../load/hostile-batch.ts';
import { prepareLoad } from '../load/load-process.ts';
import type { ManyReadersPlan } from '../load/many-readers.ts';
import { whole } from '../numbers.ts';
import type { Installation } from './installation.ts';
import type { Scenario } from './scenario.ts';
import { INGEST_PATH, newTenant, type Tenant } from './tenants.ts';
import { measureUnderAttack } from './under-attack.ts';

/** Odd, so that the batches of a tenant, which are dealt out in turns, have one type after the other. */
const TENANTS = { full: 9, quick: 3 };

const SECONDS = { full: 20, quick: 2 };

/** At most, by rate limits that are as they are by default. */
const PER_SECOND = 1_000;

const BATCHES_AT_ONCE = 2;

/** Many workspaces send events that are known, and read reports, each as fast as it can within its limits. */
export const manyTenants = sending('Many tenants', {
  full: { kind: 'names', batches: 4_000, events: 300, names: 60, versions: 1, characters: 10 },
  quick: { kind: 'names', batches: 100, events: 50, names: 10, versions: 1, characters: 10 },
});

/** The same with new app versions whose properties conflict, so that there are issues to find. */
export const manyNewVersions = sending('Many tenants, new versions', {
  full: { kind: 'freshProperties', batches: 4_000, events: 40, properties: 12 },
  quick: { kind: 'freshProperties', batches: 100, events: 10, properties: 12 },
});

function sending(title: string, forms: Record<'full' | 'quick', HostileForm>): Scenario {
  return {
    title,
    targets: { '/livez': 50, 'Create Branch': 250 },
    async run(installation, quick) {
      const size = quick ? 'quick' : 'full';
      const tenants = await newTenants(installation, TENANTS[size]);
      const { origin } = installation.server;
      const batches = await prepareLoad<HostilePlan, HostileResult>('bench/load/hostile.ts', {
        origin,
        path: INGEST_PATH,
        apps: tenants.map(({ app }) => app),
        form: forms[size],
        connections: BATCHES_AT_ONCE * tenants.length,
        perSecond: PER_SECOND,
      });
      const readers = await prepareLoad<ManyReadersPlan, Answers>('bench/load/many-readers.ts', {
        origin,
        reads: tenants.flatMap(reportsOf),
      });
      return measureUnderAttack(installation, async () => {
        const read = readers.begin(SECONDS[size]);
        const sent = await batches.begin(SECONDS[size]);
        return {
          Tenants: whole(tenants.length),
          Batches: describeAnswers(sent.answers),
          Reports: describeAnswers(await read),
        };
      });
    },
  };
}

async function newTenants({ command }: Installation, count: number): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  for (let number = 1; number <= count; number += 1) {
    const workspace = `attacker-${number}`;
    await command('workspace', 'create', workspace);
    tenants.push(await newTenant(workspace, command));
  }
  return tenants;
}

function reportsOf({ workspace, account }: Tenant): ManyReadersPlan['reads'] {
  return ['events', 'issues'].map((report) => ({
    path: `/workspaces/${workspace}/inspector/${report}/v1`,
    headers: account,
  }));
}
