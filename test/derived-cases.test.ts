import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ContractDocument } from '../contract/exchanges/document.ts';
import type { CaseFile } from '../contract/cases/case.ts';
import type { CaseResult } from '../conformance/engine/result.ts';
import { runDerivedCases } from '../conformance/derived/run.ts';
import { loadContract } from '../contract/load.ts';
import { deriveCases } from '../generator/targets/cases/case-file.ts';
import { type Fault, lampServer } from './support/lamp-server.ts';
import { lamps } from '../generator/targets/cases/testing/lamps.ts';

describe('run against a real server', () => {
  let server: http.Server;
  afterEach(() => server.close());

  async function failures(fault?: Fault): Promise<CaseResult[]> {
    const answer = lampServer(fault);
    server = http.createServer(async (request, response) => {
      const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
      const { method = '', headers } = request;
      const url = new URL(request.url ?? '', 'http://lamps');
      const { status, body, allow } = answer({ method, url, headers, body: Buffer.concat(chunks).toString() });
      if (allow !== undefined) response.setHeader('allow', allow);
      if (body !== undefined) response.setHeader('content-type', 'application/json');
      response.writeHead(status).end(body === undefined ? undefined : JSON.stringify(body));
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    const { port } = server.address() as AddressInfo;
    const target = { baseUrl: `http://127.0.0.1:${port}`, credentials: { account: { name: 'ada', secret: 'secret' } } };
    const options = { path: { lampId: '3b241101-e2bb-4255-8caf-4136c566a962' } };
    const document: ContractDocument = small;
    const results = await Array.fromAsync(runDerivedCases(smallCases, document, target, options));
    expect(results.filter(({ state }) => state === 'error' || state === 'skip')).toEqual([]);
    return results.filter(({ state, warnings }) => state === 'fail' || warnings !== undefined);
  }

  const small = structuredClone(lamps);
  small.components.schemas.NewLamp.properties.note.maxLength = 40;
  let smallCases: CaseFile;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'branchline-faults-'));
    await writeFile(join(folder, 'small.json'), JSON.stringify(small));
    smallCases = deriveCases(await loadContract(join(folder, 'small.json')));
    await rm(folder, { recursive: true });
  });

  test('that is right: nothing fails, and nothing is warned of', async () => {
    expect(await failures()).toEqual([]);
  });

  test.each<{ fault: Fault; id: string }>([
    { fault: 'coerces numbers', id: 'createLamp/body/name/type-integer' },
    { fault: 'counts UTF-16 units', id: 'createLamp/body/note/maxLength-at-astral' },
    { fault: 'allows one more', id: 'createLamp/body/name/maxLength-above' },
    { fault: 'forgets required', id: 'createLamp/body/name/required' },
    { fault: 'refuses unknown fields', id: 'createLamp/body/branchlineUnknown/unknown-allowed' },
    { fault: 'takes any media type', id: 'createLamp/body/media-type' },
    { fault: 'lets anyone in', id: 'listLamps/authentication/missing' },
    { fault: 'lets the name alone in', id: 'listLamps/authentication/wrong' },
    { fault: 'answers 404 for a wrong method', id: 'listLamps/method/patch' },
    { fault: 'forgets Allow', id: 'listLamps/method/patch' },
    { fault: 'refuses a bad part', id: 'createLamp/body/parts/0/id/required' },
    { fault: 'undocumented error body', id: 'createLamp/body/name/required' },
    { fault: 'limit off by one', id: 'listLamps/query/limit/maximum-above' },
    { fault: 'crashes on null', id: 'createLamp/body/type-null' },
    { fault: 'ignores the header', id: 'listLamps/header/x-trace/required' },
  ])('that $fault: $id fails, or warns of it', async ({ fault, id }) => {
    const found = await failures(fault);
    expect(found.map((result) => result.id)).toContain(id);
  });
});
