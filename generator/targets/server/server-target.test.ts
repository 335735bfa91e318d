import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileProject } from '../../testing/compile.ts';
import { generateServer, temporaryFolder } from '../../testing/generated-server.ts';
import { installRuntime } from '../../testing/packed-runtime.ts';
import { startServer } from '../../testing/running-server.ts';

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
