import { type Answers, countAnswer, describeAnswers } from '../load/answers.ts';
import type { HostilePlan, HostileResult } from '../load/hostile.ts';
import { prepareLoad } from '../load/load-process.ts';
import { decimals, whole } from '../numbers.ts';
import { cpuSeconds } from '../process-figures.ts';
import type { Installation } from './installation.ts';
import type { Scenario } from './scenario.ts';
import { INGEST_PATH, newApp } from './tenants.ts';
import { measureUnderAttack } from './under-attack.ts';
import { type Stage, stagesUpTo } from './version-stages.ts';

const FULL = { milestones: [50, 200, 500, 1_000], boundSeconds: 75 };
const QUICK = { milestones: [25, 50], boundSeconds: 10 };

const PROPERTIES = 50;
const SOURCES = 4;

/** Below the rate limit of the keys together. */
const PER_SECOND = 150;

/** So few leave the processor time, which is counted in hundredths of a second, too coarse. */
const FEWEST_BATCHES = 5;

/** An app whose properties conflict brings out version after version. Meant well, and as bad as an attack. */
export const manyVersions: Scenario = {
  title: 'Many versions, without malice',
  async run(installation, quick) {
    const { command, attacker } = installation;
    const { milestones, boundSeconds } = quick ? QUICK : FULL;
    const apps = [attacker.app];
    for (let source = 1; source < SOURCES; source += 1) {
      apps.push(await newApp(attacker.workspace, `app-${source}`, command));
    }
    return measureUnderAttack(installation, () => sendVersions(installation, apps, milestones, boundSeconds));
  },
};

async function sendVersions(
  installation: Installation,
  apps: HostilePlan['apps'],
  milestones: readonly number[],
  boundSeconds: number,
): Promise<Record<string, string>> {
  const end = performance.now() + boundSeconds * 1_000;
  const costs: { at: number; milliseconds: number }[] = [];
  const answers: Answers = {};
  let reached = 0;
  let accepted = 0;
  for (const stage of stagesUpTo(milestones)) {
    const left = (end - performance.now()) / 1_000;
    if (left <= 0) break;
    const { result, cpu } = await sendStage(installation, apps, stage, left);
    reached += result.sent;
    accepted += result.accepted;
    for (const [answer, times] of Object.entries(result.answers)) countAnswer(answers, answer, times);
    if (stage.milestone !== undefined && result.sent >= FEWEST_BATCHES) {
      costs.push({ at: reached, milliseconds: (cpu * 1_000) / result.sent });
    }
  }
  const [first, last] = [costs[0], costs.at(-1)];
  return {
    'Versions sent':
      reached === milestones.at(-1) ? whole(reached) : `${whole(reached)}, given up after ${boundSeconds} s`,
    Answers: describeAnswers(answers),
    'Events accepted': whole(accepted),
    'CPU ms/batch': costs.map(({ at, milliseconds }) => `${decimals(milliseconds, 1)} at ${whole(at)}`).join(', '),
    'Last against first':
      first === undefined || last === undefined ? '' : `${decimals(last.milliseconds / first.milliseconds)} ×`,
  };
}

async function sendStage(
  { server, database }: Installation,
  apps: HostilePlan['apps'],
  { from, to }: Stage,
  seconds: number,
): Promise<{ result: HostileResult; cpu: number }> {
  const load = await prepareLoad<HostilePlan, HostileResult>('bench/load/hostile.ts', {
    origin: server.origin,
    path: INGEST_PATH,
    apps,
    form: { kind: 'versions', from, to, properties: PROPERTIES },
    connections: 1,
    perSecond: PER_SECOND,
  });
  const cpuNow = (): number => cpuSeconds(server.pid) + (database.cpuSeconds() ?? 0);
  const before = cpuNow();
  const result = await load.begin(seconds);
  return { result, cpu: cpuNow() - before };
}
