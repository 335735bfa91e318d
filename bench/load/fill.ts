import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { runLoad } from './load-process.ts';
import type { Work } from './plan.ts';
import { requestMaker } from './requests.ts';
import { dueAt, waitUntil } from './schedule.ts';

/** A number of requests that all have to succeed, to fill a database by. */
export interface FillPlan {
  origin: string;
  work: Work;
  headers: Record<string, string>;
  times: number;
  connections: number;
  /** At most. */
  perSecond: number;
}

/** Past a limit, or too much at once: such requests are sent again after the pause that their answers name. */
const LATER = new Set([429, 503]);

await runLoad<FillPlan, number>(async (plan) => (stopped) => fill(plan, stopped));

async function fill(plan: FillPlan, stopped: AbortSignal): Promise<number> {
  const { origin, work, headers, times, connections, perSecond } = plan;
  const { method, expected, body } = requestMaker(work);
  const pool = new Pool(origin, { connections });
  const begun = performance.now();
  let sent = 0;
  const succeed = async (content: string | null): Promise<void> => {
    for (;;) {
      const response = await pool.request({ method, path: work.path, headers, body: content });
      const text = await response.body.text();
      if (response.statusCode === expected) return;
      if (!LATER.has(response.statusCode)) throw new Error(`${work.path} answered ${response.statusCode}: ${text}`);
      await delay(Number(response.headers['retry-after'] ?? 1) * 1_000);
    }
  };
  const oneAfterTheOther = async (): Promise<void> => {
    while (sent < times) {
      const index = sent;
      sent += 1;
      await waitUntil(begun + dueAt(index, perSecond), stopped);
      await succeed(body());
    }
  };
  await Promise.all(Array.from({ length: connections }, oneAfterTheOther));
  await pool.close();
  return sent;
}
