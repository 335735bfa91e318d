import type { ServerResponse } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Call, Reply } from '../../selftest/service/behaviour.ts';
import { newWorld } from '../../selftest/service/world.ts';
import type { Report } from '../result.ts';
import { badgeReport } from './badge.ts';
import { githubReport } from './github.ts';
import { harReport } from './har.ts';
import { htmlReport } from './html/page.ts';
import { jsonReport } from './json.ts';
import { junitReport } from './junit.ts';
import { terminalReport } from './terminal/report.ts';
import { realReport } from './testing/reports.ts';

const wholeTerminalReport = (report: Report): string => terminalReport(report, { isVerbose: true });
const WRITERS = {
  terminalReport,
  wholeTerminalReport,
  jsonReport,
  junitReport,
  htmlReport,
  badgeReport,
  githubReport,
  harReport,
};
/** It changes in HTML, in JSON, in a URL, in Base64 for URLs and in other case. */
const SECRETS = [`k3:W<q"Z/t'&+\\s`, `zZ9:~~~>>>???ü`];

const world = newWorld();
const [first, second] = world.accounts;
const [north = '', south = ''] = [first?.workspaceId, world.accounts[2]?.workspaceId];
const own = {
  ...world,
  accounts: world.accounts.map((one, index) => ({ ...one, secret: SECRETS[index] ?? one.secret })),
};

/** A service that tells everybody everything, in every way that it knows of. */
function deliver({ status }: Reply, response: ServerResponse, { headers }: Call): void {
  const sent = headers.authorization ?? '';
  const base64 = sent.split(' ')[1] ?? '';
  const told = Buffer.from(base64, 'base64').toString('utf8');
  const ways = [sent, told, ...SECRETS].flatMap((text) => [
    text,
    encodeURIComponent(text),
    JSON.stringify(text),
    Buffer.from(text).toString('base64'),
    Buffer.from(`> ${text}`).toString('base64url'),
    Buffer.from(text).toString('hex'),
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
  ]);
  const [, ...safe] = ways.filter((way) => /^[\x20-\x7e]*$/.test(way));
  response.writeHead(status, { 'content-type': 'application/json', 'x-echo': safe.join(' ') });
  response.end(JSON.stringify({ error: ways, branchId: told, branchName: sent, branchUrl: told }));
}

describe('a service that answers with the credentials', () => {
  let report: Report;
  beforeAll(async () => {
    const accounts = [
      { name: first?.name ?? '', secret: SECRETS[0] ?? '' },
      { name: second?.name ?? '', secret: SECRETS[1] ?? '' },
    ] as const;
    const secondWorkspace = { workspace: south, account: { name: 'release-bot-south', secret: 'p9-Lm-south-1' } };
    report = await realReport({ world: own, change: { deliver } }, { workspace: north, accounts, secondWorkspace });
  });

  it('fails with evidence', () => {
    expect(report.conforms).toBe(false);
    expect(jsonReport(report).match(/<redacted>/g)?.length).toBeGreaterThan(1_000);
    expect(jsonReport(report)).toContain('Basic <BRANCHLINE_SECOND_ACCOUNT>');
    expect(report.results.some(({ problems = [] }) => problems.join().includes('<redacted>'))).toBe(true);
  });

  it.each(Object.entries(WRITERS))('has no secret in the %s', (_, written) => {
    const text = written(report);
    for (const reading of decodeText(text)) {
      for (const secret of SECRETS.flatMap((one) => [one, one.slice(0, -1), one.toUpperCase(), one.toLowerCase()])) {
        for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('hex')])
          expect(reading.includes(form), form).toBe(false);
      }
    }
  });
});

/** The text, and what its Base64 says. */
function decodeText(text: string): string[] {
  const runs = text.match(/[\w+/-]{8,}/g) ?? [];
  const decoded = runs.flatMap((run) => [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64').toString()));
  const unescaped = text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
  return [text, unescaped, text.replaceAll('\\"', '"').replaceAll('\\\\', '\\'), decoded.join('\n')];
}
