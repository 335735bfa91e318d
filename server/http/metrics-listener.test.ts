import { pino } from 'pino';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Metrics } from './metrics.ts';
import { buildMetricsListener } from './metrics-listener.ts';

const ASKING = 50;

it('collects the metrics once for all who ask meanwhile', async () => {
  const metrics = new Metrics();
  const collect = vi.spyOn(metrics.registry, 'metrics');
  const app = await buildMetricsListener(metrics, pino({ level: 'silent' }));
  onTestFinished(() => app.close());
  // The first collection lasts until all have asked, however slow the machine is.
  const allAsked = Promise.withResolvers<void>();
  let asked = 0;
  app.addHook('onRequest', async () => {
    // When its handler has asked, too.
    if ((asked += 1) === ASKING) setImmediate(allAsked.resolve);
  });
  const ready = metrics.registry.metrics();
  collect.mockClear();
  collect.mockImplementationOnce(() => allAsked.promise.then(() => ready));
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const answers = await Promise.all(Array.from({ length: ASKING }, () => fetch(`${origin}/metrics`)));
  for (const answer of answers) expect(await answer.text()).toContain('branchline_');
  // The first one is collected at once, and the next for the others.
  expect(collect.mock.calls.length).toBeLessThanOrEqual(2);
  await fetch(`${origin}/metrics`);
  expect(collect.mock.calls.length).toBeLessThanOrEqual(3);
});
