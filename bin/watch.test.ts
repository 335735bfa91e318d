import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '@branchline/command-line';
import { expect, it } from 'vitest';
import { watchFiles } from './watch.ts';

it('runs on what a file is in the end, also where it comes back as soon as it is found gone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'branchline-watch-'));
  const file = join(folder, 'openapi.yaml');
  let found = '';
  const untilFound = (text: string): Promise<void> => expect.poll(() => found, { interval: 1 }).toBe(text);
  const run = async (): Promise<void> => {
    found = await readFile(file, 'utf8').catch(() => 'gone');
    if (found === 'gone') throw new UserError('There is no such file.');
  };
  await writeFile(file, 'round 0');
  const ended = watchFiles(() => Promise.resolve([file]), run).catch((error: unknown) => error);
  for (let round = 1; round <= 10; round += 1) {
    await untilFound(`round ${round - 1}`);
    await rm(file);
    await untilFound('gone');
    await writeFile(`${file}~`, `round ${round}`);
    await rename(`${file}~`, file);
  }
  await untilFound('round 10');
  await rm(folder, { recursive: true });
  expect(await ended).toEqual(new UserError(`The folder of the contract is gone: ${folder}`));
});
