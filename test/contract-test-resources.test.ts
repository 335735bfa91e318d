import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type ContractTestOptions,
  type DerivedContract,
  prepareContractTest,
} from '../conformance/derived/contract-test.ts';
import { badgeReport } from '../conformance/engine/report/badge.ts';
import { junitReport } from '../conformance/engine/report/junit.ts';
import { terminalReport } from '../conformance/engine/report/terminal/report.ts';
import type { Report } from '../conformance/engine/result.ts';
import { loadContract } from '../contract/load.ts';
import { deriveCases } from '../generator/targets/cases/case-file.ts';
import {
  BOOK,
  type LibraryFault,
  type LibraryServer,
  library,
  startLibraryServer,
  TOKEN,
} from './support/library-server.ts';

let folder: string;
let derived: DerivedContract;
let server: LibraryServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branchline-contract-test-'));
  const spec = join(folder, 'library.json');
  await writeFile(spec, JSON.stringify(library));
  const contract = await loadContract(spec);
  derived = { contract, cases: deriveCases(contract) };
});
afterEach(() => server.close());
afterAll(() => rm(folder, { recursive: true }));

async function tryLibrary(fault?: LibraryFault, options: ContractTestOptions = {}): Promise<Report> {
  server = await startLibraryServer(fault);
  const target = { baseUrl: server.origin, credentials: { reader: { token: TOKEN } } };
  const prepared = await prepareContractTest(derived, target, { seed: 1, maxExamples: 10, ...options });
  return prepared.run();
}

function listFailed({ results }: Report): string[] {
  return results.filter(({ state }) => state === 'fail').map(({ id }) => id);
}

describe('a library that is right', () => {
  test('passes whole: what bodies name are books that were created before', async () => {
    const report = await tryLibrary();
    expect(report.results.filter(({ state, warnings }) => state !== 'pass' || warnings !== undefined)).toEqual([]);
    expect(report).toMatchObject({ conforms: true, coverage: { demanded: 7, untried: [] } });
    expect([...server.agents]).toEqual([expect.stringMatching(/^branchline-contract-test\/\d/)]);
  });

  test('passes with a book that is given: what is deleted or lent is another one', async () => {
    const report = await tryLibrary(undefined, { maxExamples: 0, path: { bookId: BOOK } });
    expect(report.results.filter(({ state }) => state !== 'pass').map(({ id, reason }) => [id, reason])).toEqual([]);
    expect(report.coverage.untried).toEqual([]);
  });

  test('passes with a caller who prepares every case, and is asked once for each', async () => {
    const asked: string[] = [];
    const post = async (path: string, body: object): Promise<string> => {
      const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
      const response = await fetch(server.origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
      const { id }: { id: string } = Object(await response.json());
      return id;
    };
    const report = await tryLibrary(undefined, {
      maxExamples: 0,
      before: async ({ id, operationId, mistake }) => {
        asked.push(id);
        const bookId = await post('/books', { title: 'Dune' });
        if (operationId === 'createLoan')
          return mistake === undefined ? { body: (body) => ({ ...Object(body), bookId }) } : {};
        return { path: { bookId, loanId: await post('/loans', { bookId }) } };
      },
    });
    expect(listFailed(report)).toEqual([]);
    expect(asked.filter((id) => id.includes('/scenario/')).toSorted()).toEqual([
      'createBook/scenario/read',
      'createLoan/scenario/read',
      'deleteBook/scenario/gone',
    ]);
    // What it makes for other cases is prepared too.
    const own = asked.filter((id) => !id.endsWith('/valid/full'));
    expect(new Set(own).size).toBe(own.length);
  });
});

test('a report shows wrong credentials as they were sent, and of those that are right and of secret headers the variables', async () => {
  const headers: [string, string][] = [['x-gateway-key', 'open-sesame']];
  const report = await tryLibrary(undefined, { maxExamples: 0, headers, variables: new Map([[TOKEN, 'READER']]) });
  const sent = (id: string): object => {
    const { exchanges = [] } = report.results.find((one) => one.id === id) ?? {};
    return Object.fromEntries(exchanges.at(-1)?.request.headers ?? []);
  };
  const gateway = { 'x-gateway-key': '<X_GATEWAY_KEY_HEADER>' };
  expect(sent('getBook/authentication/wrong')).toMatchObject({ authorization: 'Bearer not-the-token', ...gateway });
  expect(sent('getBook/valid/plain')).toMatchObject({ authorization: 'Bearer <READER>', ...gateway });
  expect(JSON.stringify(report)).not.toMatch(new RegExp(`${TOKEN}|open-sesame`));
});

describe('a library that', () => {
  test.each<{ fault: LibraryFault; failed: string[] }>([
    { fault: 'takes a cover without its file', failed: ['putCover/body/file/required'] },
    { fault: 'takes a caption of any length', failed: ['putCover/body/caption/maxLength-above'] },
    { fault: 'counts any number of years', failed: ['search/body/years/maximum-above'] },
  ])('$fault fails in the case about it', async ({ fault, failed }) => {
    expect(listFailed(await tryLibrary(fault, { maxExamples: 0 }))).toEqual(failed);
  });

  test('lends no book conforms only in what was tried, with what to give for the rest', async () => {
    const report = await tryLibrary('lends no book');
    const { coverage } = report;
    expect(listFailed(report)).toEqual([]);
    expect(coverage.untried.map(({ clause }) => clause)).toEqual(['createLoan', 'getLoan']);
    for (const { reasons } of coverage.untried) expect(reasons.join(' ')).toContain('--before-case');
    const terminal = terminalReport(report);
    expect(terminal).toMatch(/conforms in what was tried; 2 of 7 operations untried\.$/);
    expect(terminal).toContain('--path, --path-file or --before-case can name it.');
    expect(junitReport(report)).toContain('The operation createLoan was tried.');
    expect(badgeReport(report)).toContain('2 of 7 operations untried');
  });
});
