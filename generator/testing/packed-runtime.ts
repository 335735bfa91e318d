import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/**
 * Puts `node_modules` into a folder as an installation of `@branchline/runtime` leaves it: the runtime is compiled, since Node
 * runs no TypeScript there; all other packages are those of the repository.
 */
export async function installRuntime(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await rm(modules, { recursive: true, force: true });
  await mkdir(modules);
  const names = (await readdir(join(repository, 'node_modules'))).filter((name) => name !== '@branchline');
  await Promise.all(names.map((name) => symlink(join(repository, 'node_modules', name), join(modules, name))));
  await compileRuntime(join(modules, '@branchline/runtime'));
}

async function compileRuntime(out: string): Promise<void> {
  await mkdir(out, { recursive: true });
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  const config = join(out, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: join(repository, 'runtime'),
    outDir: out,
    typeRoots: [join(repository, 'node_modules/@types')],
  };
  const files = [join(repository, 'runtime/index.ts')];
  await writeFile(
    config,
    JSON.stringify({ extends: join(repository, 'tsconfig.json'), compilerOptions, include: [], files }),
  );
  await run(process.execPath, [compiler, '-p', config]);
  await rm(config);
  const manifest: object = JSON.parse(await readFile(join(repository, 'runtime/package.json'), 'utf8'));
  const exports = { '.': { types: './index.d.ts', default: './index.js' } };
  await writeFile(join(out, 'package.json'), JSON.stringify({ ...manifest, exports }));
}
