import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { Report } from '../result.ts';
import { runByHand } from '../../library/sink/by-hand.ts';
import { libraryCases } from '../../library/sink/cases/index.ts';
import { runSuite } from '../../service/run.ts';
import { allCases } from '../../service/selection.ts';
import { applyWaivers } from '../waivers/apply.ts';
import { listen } from '../../selftest/service/listen.ts';
import { jsonReport } from './json.ts';
import schema from './report.schema.json' with { type: 'json' };
import { ONE_OF_EACH, PARTIAL, faultNamed, optionsFor, realReport, report, result } from './testing/reports.ts';

const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false });
addFormats.default(ajv);
const isReport = ajv.compile<Report>(schema);

function findProblems(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  return isReport(parsed) ? [] : isReport.errors;
}

describe('the JSON report is as its schema says', () => {
  it('of a service that conforms', async () => {
    const found = await realReport();
    expect(found.conforms).toBe(true);
    expect(findProblems(jsonReport(found))).toEqual([]);
  });

  it('of a service that does not, with waivers', async () => {
    const found = await realReport(faultNamed('url-http'), {
      selection: { only: ['creation'], exclude: ['creation/fields'], levels: ['required'] },
    });
    const waivers = [
      { case: 'creation/url', reason: 'Known.', until: '2026-12-31', link: 'https://tracker.example/1' },
      { clause: 'BRANCH-EXPORT-1', reason: 'Known too.' },
    ];
    const waived = applyWaivers(found, waivers, allCases, new Date('2026-01-01'));
    const comparison = { startedAt: found.startedAt, fixed: [], broken: ['creation/url'], new: [], still: [] };
    expect(findProblems(jsonReport({ ...waived, comparison, stopped: true }))).toEqual([]);
    expect(waived.results.filter((one) => one.waived !== undefined)).toHaveLength(1);
    expect(findProblems(jsonReport(waived))).toEqual([]);
  });

  it('of a service that never answers', async () => {
    const found = await realReport(
      { change: { deliver: () => {} } },
      { timeoutMs: 50, selection: { only: ['creation'], exclude: ['creation/fields'], levels: ['required'] } },
    );
    expect(findProblems(jsonReport(found))).toEqual([]);
  });

  it('of a run that was interrupted', async () => {
    const service = await listen();
    const interrupted = new AbortController();
    const onResult = (): void => interrupted.abort();
    const found = await runSuite(optionsFor(service), { onResult, signal: interrupted.signal });
    await service.close();
    expect(found).toMatchObject({ incomplete: true, conforms: false });
    expect(found.results.length).toBeLessThan(allCases.length);
    expect(findProblems(jsonReport(found))).toEqual([]);
  });

  it('of a client library', async () => {
    const found = await runByHand({
      selected: libraryCases,
      profile: true,
      plan: [],
      canaries: [],
      onListening: () => {},
      onRequest: () => {},
      onFull: () => {},
      until: Promise.resolve(),
    });
    expect(findProblems(jsonReport(found))).toEqual([]);
  });
});

it('the schema knows every kind of result, and refuses what makes no sense', () => {
  expect(findProblems(jsonReport(report()))).toEqual([]);
  expect(ONE_OF_EACH.map(({ state }) => state)).toEqual(expect.arrayContaining(['pass', 'fail', 'skip', 'error']));
  const senseless = [
    result({ state: 'fail' }),
    result({ state: 'skip' }),
    result({ waived: 'It passed.' }),
    result({ level: 'observed', state: 'skip', reason: 'It was not seen.' }),
  ];
  for (const one of senseless) expect(findProblems(jsonReport(report([one])))).not.toEqual([]);
});

it('every failure has its place in a group', () => {
  const { causes }: { causes: object[] } = JSON.parse(jsonReport(report()));
  expect(causes).toEqual([
    {
      standing: 'failed',
      problem: 'It is wrong.',
      cases: ['creation/fields'],
      clauses: ['BRANCH-URL-1'],
      example: 'creation/fields',
    },
    expect.objectContaining({ standing: 'error', problem: 'TypeError: no such thing', cases: ['creation/error'] }),
    expect.objectContaining({ standing: 'not-demanded', cases: ['profile/head'] }),
    expect.objectContaining({ standing: 'waived', cases: ['creation/waived'] }),
  ]);
});

it('every clause has its verdict', () => {
  const { clauses }: { clauses: object[] } = JSON.parse(jsonReport(report([...ONE_OF_EACH], { coverage: PARTIAL })));
  expect(clauses).toEqual([
    expect.objectContaining({ id: 'BRANCH-URL-1', level: 'required', cases: 5, failed: 2, verdict: 'failed' }),
    expect.objectContaining({ verdict: 'untried', cases: 0, reasons: ['The run did not reach it.'] }),
    expect.objectContaining({ verdict: 'untried' }),
    expect.objectContaining({ id: 'PROFILE-FOREIGN-1', level: 'profile', verdict: 'not-demanded' }),
    expect.objectContaining({ id: 'PROFILE-ACCOUNTS-1', verdict: 'seen' }),
  ]);
});

it('two runs on the same service agree', async () => {
  const [first, second] = [await realReport(faultNamed('url-http')), await realReport(faultNamed('url-http'))];
  expect(comparable(second)).toEqual(comparable(first));
});

/** Without times, and with every name, id and port that is made anew written alike. */
function comparable(found: Report): unknown {
  const results = found.results.map((one) => ({
    ...one,
    milliseconds: 0,
    exchanges: one.exchanges.map(({ request, response }) => [request.method, response?.status]),
  }));
  const text = JSON.stringify({ ...found, seed: 0, startedAt: '', milliseconds: 0, results });
  return JSON.parse(
    text.replaceAll(/br_[0-9a-f]{16}|case-[a-z0-9]+-[a-z0-9]+|127\.0\.0\.1:\d+|\d+ (?:rows|bytes)/g, 'made anew'),
  );
}
