import { Pool } from 'undici';
import { type Answers, countAnswer, noAnswer } from './answers.ts';
import { runLoad } from './load-process.ts';

export interface ManyReadersPlan {
  origin: string;
  /** Each is asked again as soon as it is answered. */
  reads: { path: string; headers: Record<string, string> }[];
}

await runLoad<ManyReadersPlan, Answers>(async (plan) => (stopped) => readAll(plan, stopped));

async function readAll({ origin, reads }: ManyReadersPlan, stopped: AbortSignal): Promise<Answers> {
  const pool = new Pool(origin, { connections: reads.length, headersTimeout: 0, bodyTimeout: 0 });
  const answers: Answers = {};
  const readAgainAndAgain = async ({ path, headers }: ManyReadersPlan['reads'][number]): Promise<void> => {
    while (!stopped.aborted) {
      try {
        const response = await pool.request({ method: 'GET', path, headers, signal: stopped });
        await response.body.dump({ limit: Number.POSITIVE_INFINITY });
        countAnswer(answers, response.statusCode);
      } catch {
        countAnswer(answers, noAnswer(stopped));
      }
    }
  };
  await Promise.all(reads.map(readAgainAndAgain));
  await pool.destroy();
  return answers;
}
