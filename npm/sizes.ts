import { glob, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack, selectTarballs } from './pack.ts';
import { stagePackages } from './stage.ts';
import { install, runInstalled } from './testing/installed.ts';
import { listPublished } from './workspaces.ts';

// Installs each package in an empty folder, and prints what of it there is then: the table in docs/packages.md.

const MEBIBYTE = 1024 ** 2;
const RUNS = 11;

const folder = await mkdtemp(join(tmpdir(), 'branchline-sizes-'));
try {
  const tarballs = await pack(await stagePackages(listPublished(), join(folder, 'packages')), join(folder, 'npm'));
  process.stdout.write(
    '| Package | Tarball | Installed | Packages | Install time |\n| --- | --- | --- | --- | --- |\n',
  );
  for (const { name, path } of tarballs) {
    const project = join(folder, name.replace('/', '-'));
    const needed = selectTarballs(name, tarballs);
    // Once to fill npm's cache, so that the second says what does not depend on the network.
    await install(needed, `${project}-first`);
    const began = performance.now();
    const missing = await install(needed, project);
    if (missing !== undefined) throw new Error(missing);
    const seconds = (performance.now() - began) / 1000;
    const { bytes, packages } = await measure(join(project, 'node_modules'));
    const { size } = await stat(path);
    process.stdout.write(
      `| \`${name}\` | ${(size / 1024).toFixed(0)} KiB | ${(bytes / MEBIBYTE).toFixed(1)} MiB | ${packages} | ${seconds.toFixed(1)} s |\n`,
    );
  }
  for (const argument of ['--version', '--help']) {
    const times: number[] = [];
    for (let round = 0; round < RUNS; round += 1) {
      const began = performance.now();
      await runInstalled(join(folder, 'branchline'), 'branchline', [argument]);
      times.push(performance.now() - began);
    }
    const median = times.toSorted((a, b) => a - b)[RUNS >> 1] ?? 0;
    process.stdout.write(`\n\`branchline ${argument}\`: ${median.toFixed(0)} ms, the median of ${RUNS} runs\n`);
  }
} finally {
  await rm(folder, { recursive: true });
}

/** What lies in a folder `node_modules`, and how many packages that is. */
async function measure(modules: string): Promise<{ bytes: number; packages: number }> {
  let bytes = 0;
  let packages = 0;
  for await (const entry of glob('**/*', { cwd: modules, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    bytes += (await stat(join(entry.parentPath, entry.name))).size;
    if (entry.name === 'package.json' && /node_modules\/(@[^/]+\/)?[^/]+$/.test(entry.parentPath)) packages += 1;
  }
  return { bytes, packages };
}
