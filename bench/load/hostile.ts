import { gzipSync } from 'node:zlib';
import { Pool } from 'undici';
import { type Answers, countAnswer, noAnswer } from './answers.ts';
import { type HostileForm, hostileBatches } from './hostile-batch.ts';
import { runLoad } from './load-process.ts';
import { dueAt, waitUntil } from './schedule.ts';

export interface HostilePlan {
  origin: string;
  path: string;
  /** What each app sends, in turns. */
  apps: Record<string, string>[];
  form: HostileForm;
  /** One batch at a time on each. */
  connections: number;
  /** At most. */
  perSecond: number;
}

export interface HostileResult {
  sent: number;
  /** Of the bodies, as they were sent. */
  bytes: number;
  seconds: number;
  answers: Answers;
  /** Events of the batches that were answered with a receipt. */
  accepted: number;
  rejected: number;
}

await runLoad<HostilePlan, HostileResult>(async (plan) => {
  const bodies = Array.from(hostileBatches(plan.form), (text) => gzipSync(text));
  return (stopped) => send(plan, bodies, stopped);
});

async function send(plan: HostilePlan, bodies: readonly Buffer[], stopped: AbortSignal): Promise<HostileResult> {
  const { origin, path, apps, connections, perSecond } = plan;
  const pool = new Pool(origin, { connections, headersTimeout: 0, bodyTimeout: 0 });
  const result: HostileResult = { sent: 0, bytes: 0, seconds: 0, answers: {}, accepted: 0, rejected: 0 };
  const begun = performance.now();
  const left = bodies.entries();
  const oneAfterTheOther = async (): Promise<void> => {
    // All share what is left.
    for (const [index, body] of left) {
      await waitUntil(begun + dueAt(index, perSecond), stopped);
      if (stopped.aborted) return;
      result.sent += 1;
      result.bytes += body.length;
      const headers = { ...apps[index % apps.length], 'content-encoding': 'gzip' };
      try {
        const response = await pool.request({ method: 'POST', path, headers, body, signal: stopped });
        countAnswer(result.answers, response.statusCode);
        const receipt = (await response.body.json()) as { accepted?: number; rejected?: unknown[] };
        result.accepted += receipt.accepted ?? 0;
        result.rejected += receipt.rejected?.length ?? 0;
      } catch {
        countAnswer(result.answers, noAnswer(stopped));
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, oneAfterTheOther));
  result.seconds = (performance.now() - begun) / 1_000;
  await pool.destroy();
  return result;
}
