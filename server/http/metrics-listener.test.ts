import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Metrics } from './metrics.ts';
import { buildMetricsListener } from './metrics-listener.ts';

it('collects the metrics once for all who ask meanwhile', async () => {
  const metrics = new Metrics();
  const collect = vi.spyOn(metrics.registry, 'metrics');
  const app = await buildMetricsListener(metrics, pino({ level: 'silent' }));
  onTestFinished(() => app.close());
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${origin}/metrics`)));
  for (const answer of answers) expect(await answer.text()).toContain('branchline_');
  // The first one is collected at once, and the next for the others; on a busy machine some ask after those.
  expect(collect.mock.calls.length).toBeLessThanOrEqual(10);
});
