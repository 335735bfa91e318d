import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Call, Reply } from '../../selftest/service/behaviour.ts';
import { groupByCause } from './causes.ts';
import { htmlReport } from './html/page.ts';
import { countScreenLines } from './terminal/lines.ts';
import { terminalReport } from './terminal/report.ts';
import { realReport } from './testing/reports.ts';

type Deliver = (reply: Reply, response: ServerResponse, call: Call) => void;

const json = { 'content-type': 'application/json' };

/** Services that get next to nothing right. */
const BAD: Readonly<Record<string, Deliver>> = {
  'answers 500 to everything': (_, response) => response.writeHead(500).end('<h1>Oops</h1>'),
  'finds nothing': (_, response) => response.writeHead(404).end(),
  'takes everything': (_, response) => response.writeHead(201, json).end('{}'),
  'answers with a page that shows the request': (_, response, { url, body }) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<h1>${url}</h1>${body.toString()}${'<br>'.repeat(9_000)}`),
  'answers at random': ({ body }, response, call) => {
    const status = [200, 201, 400, 404, 409, 500, 503][(call.url.length + call.body.length) % 7] ?? 200;
    response.writeHead(status, json).end(JSON.stringify({ error: call.body.length, body }));
  },
};

describe.each(Object.entries(BAD))('of a service that %s', (_, deliver) => {
  it('the causes are told on two screens and a page of less than 500 KB, and nothing is left out of them', async () => {
    const report = await realReport({ change: { deliver } }, { timeoutMs: 1_000, profile: true });
    const failed = report.results.filter(({ state }) => state === 'fail' || state === 'error');
    expect(failed.length).toBeGreaterThan(100);
    expect(groupByCause(report).flatMap(({ results }) => results)).toHaveLength(failed.length);
    expect(countScreenLines([terminalReport(report)])).toBeLessThan(100);
    const page = htmlReport(report);
    expect(Buffer.byteLength(page)).toBeLessThan(500_000);
    expect(page).toContain('<pre class="curl">');
  });
});
