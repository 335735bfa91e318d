import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('a process that had a PostgreSQL server ends with its own exit code', () => {
  const program = `
    import { startCluster } from './server/storage/testing/cluster.ts';
    const cluster = await startCluster();
    await cluster.remove();
    process.exitCode = 3;
  `;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(3);
});
