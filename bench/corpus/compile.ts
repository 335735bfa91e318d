import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromRoot } from '../subjects/subject.ts';

/**
 * Compiles all that was generated into the folders of a folder, as strictly as this repository, in one go.
 *
 * @returns the first complaint about each folder, by its name
 */
export async function compileAll(folder: string): Promise<Map<string, string>> {
  const config: { compilerOptions: object } = JSON.parse(await readFile(fromRoot('tsconfig.json'), 'utf8'));
  const compilerOptions = { ...config.compilerOptions, typeRoots: [fromRoot('node_modules/@types')] };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*/**/*.ts'], exclude: ['node_modules'] }),
  );
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  const complaints = new Map<string, string>();
  for (const line of (await listComplaints(folder)).split('\n')) {
    const [name, ...path] = line.split('/');
    if (name !== undefined && path.length > 0 && !complaints.has(name)) complaints.set(name, path.join('/'));
  }
  return complaints;
}

function listComplaints(folder: string): Promise<string> {
  const compiler = fromRoot('node_modules/typescript-7/bin/tsc');
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [compiler, '-p', folder, '--pretty', 'false'],
      { cwd: folder, maxBuffer: 1 << 30 },
      (_error, stdout) => resolve(stdout),
    );
  });
}
