import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from './compile.ts';
import { manifestFor } from './manifest.ts';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

/** What is read at run time, or by people, and has the same place in the package as here: links go on working. */
const AS_THEY_ARE = [
  'LICENSE',
  'openapi.yaml',
  'conformance/clauses',
  'conformance/package/branchline-conformance.js',
  'conformance/report/html/page.css',
  'conformance/report/html/in-the-page.js',
  'conformance/report/report.schema.json',
  'conformance/vectors',
  'docs/clauses.md',
  'docs/conformance.md',
  'docs/conformance-of-libraries.md',
  'docs/decisions.md',
  'docs/ingest.md',
  'examples/github-actions',
  'examples/inspector-driver.js',
  'examples/seed-command.sh',
  'examples/sink-drivers',
];

/** A source that compiles to a file of the same name would be lost. */
const COPYING = { force: false, errorOnExist: true, filter: (path: string) => !path.endsWith('.ts') };

/**
 * Makes the folder that `npm pack` turns into the package.
 *
 * @throws Error where a source does not compile.
 */
export async function buildPackage(out: string): Promise<void> {
  const program = join(REPOSITORY, 'conformance/package/program.ts');
  const { files, packages } = compile(program, { rootDir: REPOSITORY, outDir: out });
  await rm(out, { recursive: true, force: true });
  for (const { path, text } of files) await written(path, text);
  for (const path of AS_THEY_ARE) {
    await cp(join(REPOSITORY, path), join(out, path), { ...COPYING, recursive: true });
  }
  await cp(join(REPOSITORY, 'conformance/package/README.md'), join(out, 'README.md'));
  const manifest = manifestFor(await readFile(join(REPOSITORY, 'package.json'), 'utf8'), packages);
  await written(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

async function written(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
