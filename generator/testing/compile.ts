import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Runs the TypeScript compiler, as strict as this repository's own, over a folder.
 *
 * @returns Its complaints, one a line; empty: it compiles.
 */
export async function compile(folder: string): Promise<string> {
  const config: { compilerOptions: object } = JSON.parse(await readFile(join(repository, 'tsconfig.json'), 'utf8'));
  const compilerOptions = { ...config.compilerOptions, typeRoots: [join(repository, 'node_modules/@types')] };
  const exclude = ['node_modules'];
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'], exclude }));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  return compileProject(folder);
}

/**
 * Runs the TypeScript compiler over a folder by the `tsconfig.json` that stands in it.
 *
 * @returns Its complaints, one a line; empty: it compiles.
 */
export async function compileProject(folder: string): Promise<string> {
  const compiler = join(repository, 'node_modules/typescript/bin/tsc');
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [compiler, '-p', folder],
      { cwd: folder, maxBuffer: 1 << 26 },
      (_error, stdout, stderr) => {
        resolve(stdout + stderr);
      },
    );
  });
}
