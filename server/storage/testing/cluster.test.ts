import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { expect, test } from 'vitest';

const START = `
  import { startCluster } from './server/storage/testing/cluster.ts';
  const cluster = await startCluster();
`;

test.each([
  ['by itself', 'await cluster.remove();', 0],
  ['by itself, after a test failed', 'await cluster.remove(); process.exitCode = 3;', 3],
  ['by process.exit', 'await cluster.remove(); process.exit(3);', 3],
])('a process that had a PostgreSQL server and ends %s has its own exit code', (_, rest, code) => {
  const { status, stderr } = run(START + rest);
  expect({ status, stderr }).toEqual({ status: code, stderr: '' });
});

test('a server does not outlive its process', async () => {
  const { stdout } = run(`${START} console.log(cluster.url); process.exit();`);
  const listens = () =>
    new Promise((resolve) =>
      connect(Number(new URL(stdout).port), '127.0.0.1')
        .on('connect', () => resolve(true))
        .on('error', () => resolve(false)),
    );
  await expect.poll(listens).toBe(false);
});

function run(program: string) {
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
}
