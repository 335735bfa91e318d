import { request } from 'node:http';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import contract from '../../generated/contract.json' with { type: 'json' };
import type { CaseResult, Report } from '../../engine/result.ts';
import type { Answer } from './answer.ts';
import { runByHand } from './by-hand.ts';
import { libraryCases } from './cases/index.ts';
import { parsePlan } from './plan.ts';

const { example } = contract.paths['/inspector/batches/v1'].post.requestBody.content['application/json'];
const API_KEY = 'key-of-the-app';

async function byHand(
  send: (endpoint: string) => Promise<void>,
  more: { plan?: Answer[]; canaries?: string[] } = {},
): Promise<Report> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return runByHand({
    selected: libraryCases,
    profile: true,
    plan: more.plan ?? [],
    canaries: more.canaries ?? [],
    onListening: (endpoint) => void send(endpoint).then(resolve, reject),
    onRequest: () => {},
    onFull: () => {},
    until: promise,
  });
}

async function post(endpoint: string, body: unknown, path = '/inspector/batches/v1'): Promise<number> {
  const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
  const outgoing = request(endpoint + path, { method: 'POST', headers, agent: false }).end(JSON.stringify(body));
  const [response] = await once(outgoing, 'response');
  response.resume();
  await once(response, 'close');
  return response.statusCode;
}

function find({ results }: Report, id: string): CaseResult | undefined {
  return results.find((result) => result.id === id);
}

describe('a library that is driven by hand', () => {
  it('is judged by what it sends, and by nothing that only a driver could tell', async () => {
    const report = await byHand(async (endpoint) => {
      expect(await post(endpoint, example)).toBe(200);
    });
    expect(report).toMatchObject({ conforms: true, requests: 1 });
    expect(find(report, 'wire/envelope')?.state).toBe('pass');
    expect(find(report, 'batching/size')).toMatchObject({ state: 'skip', reason: 'Needs a driver: --driver.' });
    expect(find(report, 'values/never-sent')?.state).toBe('skip');
    const silent = report.results.filter(({ state, reason }) => state === 'skip' && reason === undefined);
    expect(silent).toEqual([]);
  });

  it('gets the answers of the plan, and is judged by what it does then', async () => {
    const statuses: number[] = [];
    const report = await byHand(
      async (endpoint) => {
        for (let tries = 0; tries < 3; tries += 1) statuses.push(await post(endpoint, example));
      },
      { plan: parsePlan('503,429=60') },
    );
    expect(statuses).toEqual([503, 429, 200]);
    expect(find(report, 'retry/after-seconds')?.problems).toEqual([
      expect.stringMatching(/^A request came \d+\.\d s before the Retry-After \(seconds\) had passed\.$/),
    ]);
    expect(find(report, 'retry/after-date')?.state).toBe('skip');
  });

  it('must not send a value that it is known to have', async () => {
    const sent = { ...example, app: { ...example.app, name: 'ada%40example.com' } };
    const report = await byHand(async (endpoint) => void (await post(endpoint, sent)), {
      canaries: ['ada@example.com'],
    });
    expect(find(report, 'values/never-sent')?.state).toBe('fail');
    expect(report.conforms).toBe(false);
  });

  it('shows its requests without the key', async () => {
    const report = await byHand(async (endpoint) => void (await post(endpoint, example, `/v1?key=${API_KEY}`)));
    expect(find(report, 'wire/key-nowhere-else')?.state).toBe('fail');
    expect(find(report, 'wire/path')?.exchanges).toHaveLength(1);
    expect(JSON.stringify(report)).not.toContain(API_KEY);
  });

  it('that sends nothing passes nothing', async () => {
    const { results } = await byHand(() => Promise.resolve());
    expect(results.filter(({ state }) => state === 'pass' || state === 'fail')).toEqual([]);
  });
});
