import { Pool } from 'undici';
import { quantile } from '../statistics.ts';
import { type Answers, countAnswer, noAnswer } from './answers.ts';
import { runLoad } from './load-process.ts';
import type { Work } from './plan.ts';
import { requestMaker } from './requests.ts';
import { dueAt, waitUntil } from './schedule.ts';

/** Requests that are sent by a schedule, whether or not those before them have been answered. */
export interface Pace {
  name: string;
  work: Work;
  headers: Record<string, string>;
  perSecond: number;
}

export interface SteadyPlan {
  origin: string;
  paces: Pace[];
  /** How long the requests that are under way at the end are waited for. */
  graceSeconds: number;
}

/** How the requests of a pace fared. */
export interface Fared {
  name: string;
  sent: number;
  /** How many were answered as they should be. */
  served: number;
  /** All other answers. */
  others: Answers;
  /** Milliseconds from when a request was due until its answer was there, or until it was given up. */
  p50: number;
  p99: number;
  max: number;
}

/** So many that a stalled server is what delays a request, not the lack of a connection. */
const CONNECTIONS = 256;

await runLoad<SteadyPlan, Fared[]>(
  async (plan) => (stopped) => Promise.all(plan.paces.map((pace) => keep(pace, plan, stopped))),
);

async function keep(pace: Pace, { origin, graceSeconds }: SteadyPlan, stopped: AbortSignal): Promise<Fared> {
  const { work, headers, perSecond } = pace;
  const { method, expected, body } = requestMaker(work);
  const pool = new Pool(origin, { connections: CONNECTIONS, headersTimeout: 0, bodyTimeout: 0 });
  const giveUp = new AbortController();
  const latencies: number[] = [];
  const answers: Answers = {};
  const ask = async (due: number): Promise<void> => {
    try {
      const request = { method, path: work.path, headers, body: body(), signal: giveUp.signal };
      const response = await pool.request(request);
      await response.body.dump({ limit: Number.POSITIVE_INFINITY });
      countAnswer(answers, response.statusCode);
    } catch {
      countAnswer(answers, noAnswer(giveUp.signal));
    }
    latencies.push(performance.now() - due);
  };
  const asked: Promise<void>[] = [];
  const begun = performance.now();
  for (;;) {
    const due = begun + dueAt(asked.length, perSecond);
    await waitUntil(due, stopped);
    if (stopped.aborted) break;
    asked.push(ask(due));
  }
  const patience = setTimeout(() => giveUp.abort(), graceSeconds * 1_000);
  await Promise.all(asked);
  clearTimeout(patience);
  await pool.destroy();
  const { [expected]: served = 0, ...others } = answers;
  const [p50 = 0, p99 = 0, max = 0] = [0.5, 0.99, 1].map((share) => quantile(latencies, share));
  return { name: pace.name, sent: asked.length, served, others, p50, p99, max };
}
