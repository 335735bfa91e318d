import { setTimeout as delay } from 'node:timers/promises';
import { describeAnswers } from '../load/answers.ts';
import { prepareLoad } from '../load/load-process.ts';
import type { SlowReadersPlan, SlowReadersResult } from '../load/slow-readers.ts';
import type { Pace } from '../load/steady.ts';
import { mebibytes } from '../numbers.ts';
import type { Installation } from './installation.ts';
import type { Scenario } from './scenario.ts';
import { fill } from './steady-work.ts';
import { newAccount, type Tenant, UNLIMITED } from './tenants.ts';
import { measureUnderAttack } from './under-attack.ts';

// Long names, so that an export is longer than what the kernel takes from the server before a client has read it.
const FULL = { branches: 40_000, nameLength: 250, victimsBranches: 2_000, readers: 64, seconds: 30 };
const QUICK = { branches: 2_000, nameLength: 250, victimsBranches: 200, readers: 8, seconds: 3 };

/** Fast enough that the server sees each of them go on. */
const BYTES_PER_SECOND = 64 * 1_024;

/** How often the size of the write-ahead log is looked at during the attack. */
const SAMPLES = 60;

/** One tenant opens many exports and reads them slowly, while another exports now and then and writes go on. */
export const slowExports: Scenario = {
  title: 'Slow exports',
  async run(installation, quick) {
    const { server, attacker, victim, command } = installation;
    const { branches, nameLength, victimsBranches, readers, seconds } = quick ? QUICK : FULL;
    const colleague = await newAccount(attacker.workspace, command, ...UNLIMITED);
    await fillBranches(installation, attacker, colleague, branches, nameLength);
    await fillBranches(installation, victim, victim.account, victimsBranches, 0);
    const load = await prepareLoad<SlowReadersPlan, SlowReadersResult>('bench/load/slow-readers.ts', {
      origin: server.origin,
      path: attacker.export,
      headers: attacker.account,
      readers,
      bytesPerSecond: BYTES_PER_SECOND,
    });
    const exports: Pace = {
      name: 'Export',
      work: { kind: 'read', path: victim.export },
      headers: victim.account,
      perSecond: 2,
    };
    return measureUnderAttack(installation, async () => {
      const reading = load.begin(seconds);
      const log = await sampleLog(installation, seconds);
      const { answers, bytes } = await reading;
      return { Answers: describeAnswers(answers), Read: mebibytes(bytes), ...describeLog(log) };
    }, [exports]);
  },
};

async function fillBranches(
  { server }: Installation,
  tenant: Tenant,
  headers: Tenant['account'],
  times: number,
  nameLength: number,
): Promise<void> {
  await fill({
    origin: server.origin,
    work: { kind: 'create', path: tenant.branches, nameLength },
    headers,
    times,
    connections: 32,
    perSecond: 5_000,
  });
}

async function sampleLog({ database }: Installation, seconds: number): Promise<number[]> {
  const samples: number[] = [];
  for (let sample = 0; sample <= SAMPLES; sample += 1) {
    const bytes = database.logBytes();
    if (bytes !== undefined) samples.push(bytes);
    await delay((seconds * 1_000) / SAMPLES);
  }
  return samples;
}

/** At the beginning, the quarters and the end. */
function describeLog(samples: readonly number[]): Record<string, string> {
  if (samples.length === 0) return {};
  const at = [0, 0.25, 0.5, 0.75, 1].map((share) => samples[Math.round(share * (samples.length - 1))] ?? 0);
  return { 'WAL over time': at.map(mebibytes).join(' → ') };
}
