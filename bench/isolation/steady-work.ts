import type { BatchForm } from '../load/batch.ts';
import { prepareLoad } from '../load/load-process.ts';
import type { FillPlan } from '../load/fill.ts';
import type { Fared, Pace, SteadyPlan } from '../load/steady.ts';
import type { Installation } from './installation.ts';
import { INGEST_PATH } from './tenants.ts';

const SHAPES: BatchForm = { batchSize: 10, shapes: 20, ids: 'timeOrdered' };

/** What an ordinary tenant asks for, and the load balancer. */
export function steadyWork({ victim }: Pick<Installation, 'victim'>): Pace[] {
  return [
    { name: '/livez', work: { kind: 'read', path: '/livez' }, headers: {}, perSecond: 50 },
    {
      name: 'Create Branch',
      work: { kind: 'create', path: victim.branches },
      headers: victim.account,
      perSecond: 20,
    },
    {
      name: 'Ingest of known shapes',
      work: { kind: 'ingest', path: INGEST_PATH, ...SHAPES },
      headers: victim.app,
      perSecond: 10,
    },
  ];
}

/** Makes the shapes known, and has the server compile what it runs often. */
export async function warmUp(installation: Installation, seconds: number): Promise<void> {
  const { server, victim } = installation;
  await fill({
    origin: server.origin,
    work: { kind: 'ingest', path: INGEST_PATH, ...SHAPES, batchSize: SHAPES.shapes },
    headers: victim.app,
    times: 2,
    connections: 1,
    perSecond: 10,
  });
  const paces = steadyWork(installation);
  const plan = { origin: server.origin, paces, graceSeconds: 5 };
  const load = await prepareLoad<SteadyPlan, Fared[]>('bench/load/steady.ts', plan);
  await load.begin(seconds);
}

export async function fill(plan: FillPlan): Promise<void> {
  const load = await prepareLoad<FillPlan, number>('bench/load/fill.ts', plan);
  await load.begin();
}
