import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pack } from './pack.ts';
import { stagePackages } from './stage.ts';
import { listPublished, REPOSITORY } from './workspaces.ts';

const [packages, out] = [join(REPOSITORY, 'dist', 'packages'), join(REPOSITORY, 'dist', 'npm')];
await Promise.all([packages, out].map((folder) => rm(folder, { recursive: true, force: true })));
for (const { path } of await pack(await stagePackages(listPublished(), packages), out)) {
  process.stdout.write(`${path}\n`);
}
