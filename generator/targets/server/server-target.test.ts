import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, test, vi } from 'vitest';
import { compileProject } from '../../testing/compile.ts';
import { generateProcess, type Outcome } from '../../testing/generate-process.ts';
import { generateServer, temporaryFolder } from '../../testing/generated-server.ts';
import { installRuntime } from '../../testing/packed-runtime.ts';
import { startServer } from '../../testing/running-server.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const trainTravel = createRequire(import.meta.url).resolve('@readme/oas-examples/3.1/json/train-travel.json');

/** As docs/generate.md has it. Its reply is made of a schema with "items: { type: object }" and one that says what is in it. */
const STATIONS = `import type { Handlers } from '../generated/handlers.ts';
import type { Station } from '../generated/models.ts';

const berlin: Station = {
  id: 'efdbb9d1-02c2-4bc3-afb7-6788d8782b1e',
  name: 'Berlin Hauptbahnhof',
  address: 'Invalidenstraße 10557 Berlin, Germany',
  country_code: 'DE',
};

export const stationsHandlers: Pick<Handlers, 'getStations'> = {
  getStations(_request) {
    return { status: 200, type: 'application/json', body: { data: [berlin] } };
  },
};
`;

test.each(['copy', 'package'] as const)(
  'a server that runs on the runtime as %s compiles and answers',
  async (runtime) => {
    await using folder = await temporaryFolder();
    await generateServer(trainTravel, folder.path, runtime);
    if (runtime === 'package') await installRuntime(folder.path);
    await writeFile(join(folder.path, 'server/handlers/stations.ts'), STATIONS);
    expect(await compileProject(folder.path)).toBe('');

    const server = await startServer(folder.path);
    const answers = await Promise.all(
      [{ authorization: 'Bearer any' }, {}].map(async (headers) => {
        const response = await fetch(`${server.address}/trips`, { headers });
        return [response.status, await response.json()];
      }),
    );
    const stations = await fetch(`${server.address}/stations`, { headers: { authorization: 'Bearer any' } });
    expect(await stations.json()).toMatchObject({ data: [{ name: 'Berlin Hauptbahnhof' }] });
    await server.stop();
    expect(answers).toEqual([
      [400, expect.objectContaining({ status: 400, detail: 'The query parameter "origin" is missing.' })],
      [401, expect.objectContaining({ status: 401, detail: 'Unauthorized' })],
    ]);
  },
);

/** A contract with schemes of each kind, one of which no operation asks for. */
const SECURED = `openapi: 3.1.0
info: { title: Secured, version: '1' }
security: [{ bearer: [] }, { key: [] }]
paths:
  /things: { get: { operationId: list, responses: { '200': { description: OK, content: { application/json: { example: [1] } } } } } }
components:
  securitySchemes:
    bearer: { type: http, scheme: bearer }
    key: { type: apiKey, in: header, name: x-key }
    unused: { type: http, scheme: basic }
`;
const WARNING =
  'Nothing checks the credentials of "bearer", "key" yet: write the checks in server/security.ts. Until then only requests from this machine get in.';

test('a new server lets nobody in from elsewhere until credentials are checked, and says so', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'secured.yaml'), SECURED);
  const generate = (): Promise<Outcome> => generateProcess(folder.path, ['server', '--spec', 'secured.yaml']);
  expect((await generate()).stdout).toContain(` files written.\n${WARNING}\n`);
  expect((await generate()).stdout).not.toContain(WARNING);
  expect(await compileProject(folder.path)).toBe('');

  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const { buildApp }: { buildApp: () => Promise<FastifyInstance> } = await import(join(folder.path, 'server/app.ts'));
  expect(warn).toHaveBeenCalledExactlyOnceWith(WARNING);
  const app = await buildApp();
  app.log.level = 'silent';
  const ask = async (headers: Record<string, string>, remoteAddress?: string): Promise<[number, unknown]> => {
    const { statusCode, json } = await app.inject({ url: '/things', headers, ...(remoteAddress && { remoteAddress }) });
    return [statusCode, json()];
  };
  const key = { 'x-key': 'any' };
  const refusal = [
    501,
    { error: 'Nothing checks the credentials of "key" yet: write the check in server/security.ts.' },
  ];
  expect(await ask({})).toEqual([401, { error: 'Unauthorized' }]);
  // A name that would end the comment in which it stands.
  await writeFile(join(folder.path, 'odd.yaml'), SECURED.replaceAll('bearer:', '"be\u2028throw 1//":'));
  await generateServer(join(folder.path, 'odd.yaml'), join(folder.path, 'odd'));
  expect(await readFile(join(folder.path, 'odd/server/security.ts'), 'utf8')).toContain(
    '// NOT CHECKED YET: "be throw 1//", "key".\n',
  );
  for (const here of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(await ask(key, here)).toEqual([200, [1]]);
  expect(await ask({ authorization: 'Bearer any' })).toEqual([200, [1]]);
  for (const elsewhere of ['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1'])
    expect(await ask(key, elsewhere)).toEqual(refusal);
  for (const proxy of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'])
    expect(await ask({ ...key, [proxy]: '127.0.0.1' })).toEqual(refusal);
  vi.stubEnv('NODE_ENV', 'production');
  expect(await ask(key)).toEqual(refusal);
  await app.close();
});
