import { text } from 'node:stream/consumers';
import { Client } from 'undici';
import { quantile } from '../statistics.ts';
import type { LoadPlan, LoadResult } from './plan.ts';
import { requestMaker } from './requests.ts';

// A process of its own, so that making requests takes no time from the server that is measured.
const plan: LoadPlan = JSON.parse(await text(process.stdin));
process.stdout.write(JSON.stringify(await load(plan)));

async function load({ origin, work, headers, connections, seconds }: LoadPlan): Promise<LoadResult> {
  const { method, expected, body } = requestMaker(work);
  const latencies: number[] = [];
  const unexpected: Record<string, number> = {};
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  const oneConnection = async (): Promise<void> => {
    const client = new Client(origin, { pipelining: 1 });
    while (performance.now() < end) {
      const content = body();
      const sent = performance.now();
      const response = await client.request({ method, path: work.path, headers, body: content });
      await response.body.dump();
      latencies.push(performance.now() - sent);
      if (response.statusCode !== expected) {
        unexpected[response.statusCode] = (unexpected[response.statusCode] ?? 0) + 1;
      }
    }
    await client.close();
  };
  await Promise.all(Array.from({ length: connections }, oneConnection));
  const taken = (performance.now() - begun) / 1_000;
  return {
    requests: latencies.length,
    seconds: taken,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    unexpected,
  };
}
