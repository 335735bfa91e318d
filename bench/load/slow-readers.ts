import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'undici';
import { type Answers, countAnswer } from './answers.ts';
import { runLoad } from './load-process.ts';

export interface SlowReadersPlan {
  origin: string;
  path: string;
  headers: Record<string, string>;
  readers: number;
  /** How fast each reads. */
  bytesPerSecond: number;
}

export interface SlowReadersResult {
  answers: Answers;
  bytes: number;
}

/** After a refusal, or the end of an export. */
const PAUSE_MS = 500;

await runLoad<SlowReadersPlan, SlowReadersResult>(async (plan) => (stopped) => readSlowly(plan, stopped));

async function readSlowly(plan: SlowReadersPlan, stopped: AbortSignal): Promise<SlowReadersResult> {
  const { origin, path, headers, readers, bytesPerSecond } = plan;
  const result: SlowReadersResult = { answers: {}, bytes: 0 };
  const readOne = async (): Promise<void> => {
    const client = new Client(origin, { headersTimeout: 0, bodyTimeout: 0 });
    try {
      const response = await client.request({ method: 'GET', path, headers, signal: stopped });
      countAnswer(result.answers, response.statusCode);
      for await (const chunk of response.body) {
        const { length } = chunk as Uint8Array;
        result.bytes += length;
        await delay((length * 1_000) / bytesPerSecond, undefined, { signal: stopped });
      }
    } catch {
      if (!stopped.aborted) countAnswer(result.answers, 'broken off');
    }
    await client.destroy();
  };
  const oneReader = async (): Promise<void> => {
    while (!stopped.aborted) {
      await readOne();
      await delay(PAUSE_MS, undefined, { signal: stopped }).catch(() => {});
    }
  };
  await Promise.all(Array.from({ length: readers }, oneReader));
  return result;
}
