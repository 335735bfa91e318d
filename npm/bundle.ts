import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { REPOSITORY } from './workspaces.ts';

/** Where the server's bundle stands in the repository, and in the folder of its package: `server/program.ts` looks for it there. */
const BUNDLE = join('dist', 'bundle');

/** A driver that is looked for and not there; and a package whose parts are loaded by their paths in it. */
const OUTSIDE = ['pg-native', 'fastify-openapi-glue'];

/** A source that runs as a thread of its own, or any other place beside a source. */
const PLACE = /new Worker\(new URL\('\.\/([^']+)\.ts', import\.meta\.url\)|import\.meta\.url/g;

/**
 * Bundles the server of the repository, beside its sources, and notes of which it was made: the bundle is used as long as they stay
 * as they are.
 */
export async function bundleSources(): Promise<void> {
  const server = join(REPOSITORY, 'server');
  const list = join(server, 'dist', 'sources.json');
  await rm(list, { force: true });
  const sources = await bundleServer(server, { sourcemap: true });
  writeFileSync(list, JSON.stringify(describeSources(sources)));
}

/**
 * Bundles the server with all that it loads, and the licences of that: a few files start faster than the thousand that it is made
 * of.
 *
 * @param folder that of the server, or of its package
 * @param options whether to write source maps, which are larger than the bundle; defaults to false
 * @returns its own sources, of which the bundle was made
 */
export async function bundleServer(folder: string, { sourcemap = false } = {}): Promise<string[]> {
  const bundle = await rolldown({
    input: join(REPOSITORY, 'server', 'main.ts'),
    platform: 'node',
    external: OUTSIDE,
    plugins: [keepPlaces],
    logLevel: 'warn',
  });
  const dir = join(folder, BUNDLE);
  await rm(dir, { recursive: true, force: true });
  const { output } = await bundle.write({ dir, format: 'esm', entryFileNames: '[name].js', sourcemap });
  await bundle.close();
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const files = [...new Set(modules.filter((id) => id.startsWith(REPOSITORY)))];
  const licences = [...new Set(files.flatMap(findLicence))];
  writeFileSync(join(dir, 'LICENSES.txt'), licences.map(describeLicence).join('\n'));
  return files.filter(isOwn);
}

/** Keeps the places where sources find what stands beside them; the threads that they start are bundled, too. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform(code, id) {
    if (!isOwn(id) || !code.includes('import.meta.url')) return null;
    const place = JSON.stringify(relative(join(REPOSITORY, 'server', BUNDLE), id));
    const placed = code.replaceAll(PLACE, (_, thread?: string) => {
      if (thread === undefined) return `new URL(${place}, import.meta.url).href`;
      const fileName = `${basename(thread)}.js`;
      this.emitFile({ type: 'chunk', id: join(dirname(id), `${thread}.ts`), fileName });
      return `new Worker(new URL('./${fileName}', import.meta.url)`;
    });
    // Each line stays where it is.
    return { code: placed, map: null };
  },
};

function isOwn(id: string): boolean {
  return id.startsWith(REPOSITORY) && !id.includes('/node_modules/');
}

/** Each with its path in the repository, size, and when it was written; and what says which packages are installed. */
function describeSources(files: readonly string[]): [path: string, size: number, writtenMs: number][] {
  return [...files, join(REPOSITORY, 'node_modules', '.package-lock.json')].map((file) => {
    const { size, mtimeMs } = statSync(file);
    return [relative(REPOSITORY, file), size, mtimeMs];
  });
}

/** The licence of the package that a file belongs to. */
function findLicence(file: string): string[] {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(file) ?? [];
  if (folder === undefined) return [];
  return globSync('{LICEN[CS]E,license,licence}*', { cwd: folder }).map((name) => join(folder, name));
}

function describeLicence(path: string): string {
  return `${relative(join(REPOSITORY, 'node_modules'), path)}\n\n${readFileSync(path, 'utf8').trim()}\n`;
}
