import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startProcess } from './support/command-line.ts';
import { printedCredentials } from './support/postgres-server.ts';

it('the budget of a workspace is what the flags say, each of its own measure', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'branchline-limits-'));
  const server = await startProcess(join(folder, 'x.db'), [
    '--app-version-limit=11',
    '--event-name-limit=12',
    '--workspace-shape-limit=13',
    '--property-limit=14',
    '--schema-megabytes=15',
  ]);
  onTestFinished(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });
  const { authorization = '' } = printedCredentials(server) ?? {};
  const answer = await fetch(`${server.origin}/workspaces/demo/inspector/budget/v1`, { headers: { authorization } });
  expect(await answer.json()).toMatchObject({
    workspace: {
      appVersions: { most: 11 },
      eventNames: { most: 12 },
      shapes: { most: 13 },
      properties: { most: 14 },
      bytes: { most: 15 * 1024 ** 2 },
    },
  });
});
