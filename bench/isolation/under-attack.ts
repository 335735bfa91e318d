import { prepareLoad } from '../load/load-process.ts';
import type { Fared, Pace, SteadyPlan } from '../load/steady.ts';
import { decimals, mebibytes } from '../numbers.ts';
import { cpuSeconds, forgetPeak, residentMemory } from '../process-figures.ts';
import type { Installation } from './installation.ts';
import { steadyWork } from './steady-work.ts';

/** What there is to say about an attack, beside what it took. */
type Figures = Record<string, string>;

/** How long the others wait at most for what they asked during an attack, after its end. */
const GRACE_SECONDS = 15;

/** Has the victim work at a steady pace for as long as the attack lasts, and measures both. */
export async function measureUnderAttack(
  installation: Installation,
  attack: () => Promise<Figures>,
  further: readonly Pace[] = [],
): Promise<{ others: Fared[]; figures: Figures }> {
  const { server, database } = installation;
  const others = await prepareLoad<SteadyPlan, Fared[]>('bench/load/steady.ts', {
    origin: server.origin,
    paces: [...steadyWork(installation), ...further],
    graceSeconds: GRACE_SECONDS,
  });
  const bytes = await database.bytes();
  const cpu = cpuSeconds(server.pid);
  const databaseCpu = database.cpuSeconds();
  forgetPeak(server.pid);
  const begun = performance.now();
  const fared = others.begin();
  const figures = await attack();
  const seconds = (performance.now() - begun) / 1_000;
  others.stop();
  // Only now: a server may go on with what an attack has left behind, while the others wait.
  const result = await fared;
  const taken = {
    'Took s': decimals(seconds, 1),
    'Server CPU s': decimals(cpuSeconds(server.pid) - cpu),
    'Database CPU s': databaseCpu === undefined ? '' : decimals((database.cpuSeconds() ?? 0) - databaseCpu),
    'Peak memory': mebibytes(residentMemory(server.pid).peak),
    'Database grew by': mebibytes((await database.bytes()) - bytes),
  };
  return { others: result, figures: { ...figures, ...taken } };
}
