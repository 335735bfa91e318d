import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ClientModule,
  generateClient,
  importClient,
} from '../generator/targets/client/testing/generated-client.ts';
import { compile, compileProject } from '../generator/testing/compile.ts';
import { generateServer, temporaryFolder } from '../generator/testing/generated-server.ts';
import { startServer, type RunningServer } from '../generator/testing/running-server.ts';
import { loadContract } from '../contract/load.ts';
import { SpecError } from '../contract/spec-error.ts';

const launcher = fileURLToPath(new URL('../bin/branchline.js', import.meta.url));
const specs = fileURLToPath(new URL('../node_modules/@readme/oas-examples/', import.meta.url));
const run = promisify(execFile);

interface Call {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  status: number;
  /** A part of the answer's JSON. */
  answer?: unknown;
}

const bearer = { authorization: 'Bearer any' };
const key = { api_key: 'any' };
const pet = { name: 'doggie', photoUrls: ['a'] };
const booking = { trip_id: '4f4e4e1e-c824-4d63-b37a-d8d698862f1d', passenger_name: 'Ada', has_bicycle: true };
const trips = '/trips?origin=efdbb9d1-02c2-4bc3-afb7-6788d8782b1e&destination=b2e783e1-c824-4d63-b37a-d8d698862f1d';
const bookingId = '/bookings/1725ff48-ab45-4bb5-9d02-88745177dedb';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const trainTravel: Call[] = [
  { path: '/stations', headers: bearer, status: 200, answer: { data: expect.any(Array) } },
  { path: '/stations', status: 401, answer: { detail: 'Unauthorized' } },
  { path: `${trips}&date=2024-02-01T09:00:00Z`, headers: bearer, status: 200, answer: { data: expect.any(Array) } },
  { path: trips, headers: bearer, status: 400, answer: { detail: 'The query parameter "date" is missing.' } },
  { path: '/bookings', headers: bearer, status: 200, answer: { data: expect.any(Array) } },
  { method: 'POST', path: '/bookings', headers: bearer, body: booking, status: 201 },
  {
    method: 'POST',
    path: '/bookings',
    headers: bearer,
    body: { ...booking, trip_id: 7 },
    status: 400,
    answer: { detail: 'The field "trip_id" of the body must be a string.' },
  },
  { method: 'POST', path: '/bookings', headers: { ...bearer, 'content-type': 'text/plain' }, body: 'x', status: 415 },
  { path: bookingId, headers: bearer, status: 200 },
  { path: '/bookings/seven', headers: bearer, status: 400, answer: { title: 'Bad Request', status: 400 } },
  { method: 'DELETE', path: bookingId, headers: bearer, status: 204 },
  { method: 'PATCH', path: bookingId, headers: bearer, body: {}, status: 405 },
  { method: 'POST', path: `${bookingId}/payment`, headers: bearer, body: {}, status: 200 },
  {
    path: '/nowhere',
    headers: bearer,
    status: 404,
    answer: { title: 'Not Found', status: 404, detail: 'There is nothing to GET at this path.' },
  },
];

const petstore: Call[] = [
  { method: 'POST', path: '/pet', headers: bearer, body: pet, status: 501 },
  { method: 'PUT', path: '/pet', headers: bearer, body: pet, status: 501 },
  {
    method: 'POST',
    path: '/pet',
    headers: bearer,
    body: { name: 'a' },
    status: 400,
    answer: { error: 'The body lacks the field "photoUrls".' },
  },
  { method: 'POST', path: '/pet', body: pet, status: 401 },
  { method: 'POST', path: '/pet', headers: { ...bearer, 'content-type': 'text/plain' }, body: 'x', status: 415 },
  { path: '/pet/findByStatus?status=sold', headers: bearer, status: 200 },
  { path: '/pet/findByStatus?status=eaten', headers: bearer, status: 400 },
  { path: '/pet/findByTags?tags=a&tags=b', headers: bearer, status: 200 },
  { path: '/pet/7', headers: key, status: 200, answer: { name: 'doggie' } },
  { path: '/pet/x', headers: key, status: 400, answer: { error: 'The path parameter "petId" must be a number.' } },
  { method: 'POST', path: '/pet/7', headers: { ...bearer, ...form }, body: 'name=a&status=sold', status: 501 },
  { method: 'DELETE', path: '/pet/7', headers: { ...bearer, ...key }, status: 501 },
  { path: '/store/inventory', headers: key, status: 200 },
  { method: 'POST', path: '/store/order', body: { petId: 1, quantity: 2 }, status: 200 },
  { path: '/store/order/5', status: 200 },
  { path: '/store/order/11', status: 400, answer: { error: 'The path parameter "orderId" must be at most 10.' } },
  { method: 'DELETE', path: '/store/order/5', status: 501 },
  { method: 'POST', path: '/user', body: { username: 'a' }, status: 200 },
  { method: 'POST', path: '/user/createWithArray', body: [{ username: 'a' }], status: 200 },
  { method: 'POST', path: '/user/createWithList', body: [{ username: 'a' }], status: 200 },
  { path: '/user/login?username=a&password=b', status: 200 },
  { path: '/user/login?username=a', status: 400, answer: { error: 'The query parameter "password" is missing.' } },
  { path: '/user/logout', status: 200 },
  { path: '/user/a', status: 200 },
  { method: 'PUT', path: '/user/a', body: { username: 'a' }, status: 501 },
  { method: 'DELETE', path: '/user/a', status: 501 },
  { method: 'PATCH', path: '/user/a', status: 405 },
];

/** A form with one file. */
const FORM =
  '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\ncontent-type: image/png\r\n\r\nbytes\r\n--x--\r\n';

function upload(type: string, body: string): Call {
  return {
    method: 'POST',
    path: '/pet/7/uploadImage',
    headers: { ...bearer, 'content-type': type },
    body,
    status: 200,
  };
}

/** What a generated client calls, and what it is answered. */
interface ClientCall {
  operation: string;
  request?: object;
  answer: object;
}

const clientCalls: Record<string, ClientCall[]> = {
  'train-travel': [
    { operation: 'getStations', answer: { status: 200, body: { data: expect.any(Array) } } },
    { operation: 'createBooking', request: { body: booking }, answer: { status: 201 } },
    {
      operation: 'deleteBooking',
      request: { params: { bookingId: '1725ff48-ab45-4bb5-9d02-88745177dedb' } },
      answer: { status: 204, body: undefined },
    },
  ],
  petstore: [
    { operation: 'getPetById', request: { params: { petId: 7 } }, answer: { status: 200, body: { name: 'doggie' } } },
    { operation: 'findPetsByStatus', request: { query: { status: ['sold', 'pending'] } }, answer: { status: 200 } },
    { operation: 'findPetsByStatus', request: { query: { status: ['eaten'] } }, answer: { status: 400 } },
    { operation: 'placeOrder', request: { body: { petId: 1, quantity: 2 } }, answer: { status: 200 } },
    { operation: 'loginUser', request: { query: { username: 'a&b', password: 'é' } }, answer: { status: 200 } },
  ],
};

describe.each([
  { spec: '3.1/yaml/train-travel.yaml', calls: trainTravel },
  { spec: '3.0/json/petstore.json', calls: [...petstore, upload('multipart/form-data; boundary=x', FORM)] },
  { spec: '3.1/yaml/petstore.yaml', calls: [...petstore, upload('application/octet-stream', 'bytes')] },
])('$spec', ({ spec, calls }) => {
  const folder = temporaryFolder();
  const generate = async (...args: string[]): Promise<string> => {
    const { path } = await folder;
    const { stdout } = await run(process.execPath, [
      launcher,
      'generate',
      'server',
      '--spec',
      join(specs, spec),
      '--out',
      path,
      ...args,
    ]);
    return stdout;
  };
  let server: RunningServer;

  beforeAll(async () => {
    await generate();
    server = await startServer((await folder).path);
  });
  afterAll(async () => {
    await server.stop();
    await (await folder)[Symbol.asyncDispose]();
  });

  test('compiles under its own strict options, and under those of this repository', async () => {
    const { path } = await folder;
    expect(JSON.parse(await readFile(join(path, 'tsconfig.json'), 'utf8')).compilerOptions.strict).toBe(true);
    expect(await compileProject(path)).toBe('');
    expect(await compile(path)).toBe('');
  });

  test.each(calls)('$path → $status', async ({ method = 'GET', path, headers = {}, body, status, answer }) => {
    const response = await fetch(server.address + path, { method, headers: headersOf(headers, body), ...bodyOf(body) });
    const text = await response.text();
    expect(text).not.toBe('null');
    expect({ status: response.status, text }).toEqual({ status, text: expect.any(String) });
    expect(response.headers.has('branchline-stub')).toBe(status < 300 || status === 501);
    expect(response.headers.has('allow')).toBe(status === 405);
    if (answer !== undefined) expect(JSON.parse(text)).toMatchObject(answer as object);
    else if (status >= 400) expect(JSON.parse(text)).toEqual({ error: expect.any(String) });
  });

  test('a generated client talks with it', async () => {
    const { path } = await folder;
    await generateClient(join(specs, spec), path);
    const { createClient }: ClientModule = await importClient(path);
    const auth = { OAuth2: 'any', petstore_auth: 'any', api_key: 'any' };
    const client = createClient({ baseUrl: server.address, auth });
    for (const { operation, request, answer } of clientCalls[/(train-travel|petstore)/.exec(spec)?.[0] ?? ''] ?? []) {
      expect({ operation, ...(await client[operation]?.(request)) }).toMatchObject({ operation, ...answer });
    }
  });

  test('a second run changes no byte and leaves what was edited alone', async () => {
    const handlers = join((await folder).path, 'server/handlers.ts');
    await writeFile(handlers, `${await readFile(handlers, 'utf8')}// edited\n`);
    expect(await generate()).toContain('up to date');
    expect(await readFile(handlers, 'utf8')).toContain('// edited');
    expect(await generate('--check')).toContain('up to date');
  });

  test('--check finds drift', async () => {
    const types = join((await folder).path, 'server/generated/types.ts');
    const text = await readFile(types, 'utf8');
    await writeFile(types, `${text}\n`);
    await expect(generate('--check')).rejects.toMatchObject({ code: 1 });
    await writeFile(types, text);
  });
});

/** What is wrong in these: warnings by default, and refusals where they are strict. */
const faulty: Record<string, string> = {
  'parameters-common': 'names "{id}" twice',
  'parameters-style': 'holds "#"',
  post: '"responses" is empty',
  'response-http-behavior': 'The security scheme "api_key" is not declared',
  'schema-validation-local': '"$schema" must be',
  'schema-validation-top-level': '"exclusiveMaximum" must be a number',
};

test('every other spec of 2.0, 3.0 and 3.1 gives a server and a client that compile', async () => {
  await using folder = await temporaryFolder();
  const files = globSync('{2.0,3.0,3.1}/json/**/*.json', { cwd: specs });
  expect(files.length).toBeGreaterThan(50);
  for (const [n, file] of files.entries()) {
    const out = join(folder.path, `spec-${n}`);
    const problem = await refusal(generateServer(join(specs, file), out));
    if (problem === '') await generateClient(join(specs, file), out);
    expect({ file, problem }).toEqual({ file, problem: '' });
  }
  expect(await compile(folder.path)).toBe('');
}, 300_000);

test('what is wrong in a spec is refused by line where it is strict', async () => {
  const files = globSync('3.{0,1}/json/**/*.json', { cwd: specs });
  for (const file of files) {
    const fault = faulty[file.replace(/.*\/(.*)\.json/, '$1')];
    if (fault !== undefined) await expect(loadContract(join(specs, file), { strict: true })).rejects.toThrow(fault);
  }
});

async function refusal(generated: Promise<void>): Promise<string> {
  try {
    await generated;
    return '';
  } catch (error) {
    if (error instanceof SpecError) return error.message;
    throw error;
  }
}

function headersOf(headers: Record<string, string>, body: unknown): Record<string, string> {
  return typeof body === 'object' ? { 'content-type': 'application/json', ...headers } : headers;
}

function bodyOf(body: unknown): { body?: string } {
  if (body === undefined) return {};
  return { body: typeof body === 'string' ? body : JSON.stringify(body) };
}
