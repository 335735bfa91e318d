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

type Apps = HostilePlan['apps'];

/** What it takes to store a batch of a new version when there are so many. */
export interface VersionCost {
  versions: number;
  milliseconds: number;
}

interface Sent {
  versions: number;
  accepted: number;
  answers: Answers;
  costs: VersionCost[];
}

/** An app whose properties conflict brings out version after version. Meant well, and as bad as an attack. */
export const manyVersions: Scenario = {
  title: 'Many versions, without malice',
  async run(installation, quick) {
    const { milestones, boundSeconds } = quick ? QUICK : FULL;
    const apps = await addApps(installation);
    return measureUnderAttack(installation, async () => {
      const { versions, accepted, answers, costs } = await sendVersions(installation, apps, quick);
      const [first, last] = [costs[0], costs.at(-1)];
      return {
        'Versions sent':
          versions === milestones.at(-1) ? whole(versions) : `${whole(versions)}, given up after ${boundSeconds} s`,
        Answers: describeAnswers(answers),
        'Events accepted': whole(accepted),
        'CPU ms/batch': costs.map((cost) => `${decimals(cost.milliseconds, 1)} at ${whole(cost.versions)}`).join(', '),
        'Last against first':
          first === undefined || last === undefined ? '' : `${decimals(last.milliseconds / first.milliseconds)} ×`,
      };
    });
  },
};

/** Sends version after version, each of one event with 50 properties of other types, from the apps and in the environments in turn. */
export async function sendVersions(installation: Installation, apps: Apps, quick: boolean): Promise<Sent> {
  const { milestones, boundSeconds } = quick ? QUICK : FULL;
  const end = performance.now() + boundSeconds * 1_000;
  const sent: Sent = { versions: 0, accepted: 0, answers: {}, costs: [] };
  for (const stage of stagesUpTo(milestones)) {
    const left = (end - performance.now()) / 1_000;
    if (left <= 0) break;
    const { result, cpu } = await sendStage(installation, apps, stage, left);
    sent.versions += result.sent;
    sent.accepted += result.accepted;
    for (const [answer, times] of Object.entries(result.answers)) countAnswer(sent.answers, answer, times);
    if (stage.milestone !== undefined && result.sent >= FEWEST_BATCHES) {
      sent.costs.push({ versions: sent.versions, milliseconds: (cpu * 1_000) / result.sent });
    }
  }
  return sent;
}

/** The attacker's app, and others of its workspace: four sources. */
export async function addApps({ command, attacker }: Installation): Promise<Apps> {
  const apps = [attacker.app];
  for (let source = 1; source < SOURCES; source += 1) {
    apps.push(await newApp(attacker.workspace, `app-${source}`, command));
  }
  return apps;
}

async function sendStage(
  { server, database }: Installation,
  apps: Apps,
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
