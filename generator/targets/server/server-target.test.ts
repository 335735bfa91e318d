import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { compileProject } from '../../testing/compile.ts';
import { generateServer, temporaryFolder } from '../../testing/generated-server.ts';
import { installRuntime } from '../../testing/packed-runtime.ts';
import { startServer } from '../../testing/running-server.ts';

const trainTravel = createRequire(import.meta.url).resolve('@readme/oas-examples/3.1/json/train-travel.json');

test.each(['copy', 'package'] as const)(
  'a server that runs on the runtime as %s compiles and answers',
  async (runtime) => {
    await using folder = await temporaryFolder();
    await generateServer(trainTravel, folder.path, runtime);
    if (runtime === 'package') await installRuntime(folder.path);
    expect(await compileProject(folder.path)).toBe('');

    const server = await startServer(folder.path);
    const answers = await Promise.all(
      [{ authorization: 'Bearer any' }, {}].map(async (headers) => {
        const response = await fetch(`${server.address}/trips`, { headers });
        return [response.status, await response.json()];
      }),
    );
    await server.stop();
    expect(answers).toEqual([
      [400, expect.objectContaining({ status: 400, detail: 'The query parameter "origin" is missing.' })],
      [401, expect.objectContaining({ status: 401, detail: 'Unauthorized' })],
    ]);
  },
);
