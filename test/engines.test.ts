import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const REPOSITORY = join(import.meta.dirname, '..');

/** What makes a database for a test. */
const DATABASES = 'server/storage/testing/databases.ts';

/** Their folders say on which engines these run; see `vitest.config.ts`. */
const SAID_BY_FOLDER = /^(server\/storage\/postgres|test\/(postgres|proofs))\//;

const TAG = /^\/\/ @module-tag (both-engines|sqlite-alone)\n/;

const read = (file: string) => readFileSync(join(REPOSITORY, file), 'utf8');

test('each test file that uses a database says first on which engines it runs', () => {
  const files = globSync('{bench,conformance,npm,packaging,release,server,test}/**/*.test.ts', { cwd: REPOSITORY });
  const silent = files.filter((file) => !SAID_BY_FOLDER.test(file) && !TAG.test(read(file)) && uses(file, DATABASES));
  expect(silent, 'Begin with // @module-tag both-engines, or // @module-tag sqlite-alone').toEqual([]);
});

test('a file that says so uses a database', () => {
  const files = globSync('**/*.test.ts', { cwd: REPOSITORY, exclude: ['**/node_modules'] });
  expect(files.filter((file) => TAG.test(read(file)) && !uses(file, DATABASES))).toEqual([]);
});

/** Whether a file imports another, or what imports it; types apart. */
function uses(file: string, wanted: string, seen = new Set<string>()): boolean {
  if (file === wanted) return true;
  if (seen.has(file)) return false;
  seen.add(file);
  return importsOf(file).some((imported) => uses(imported, wanted, seen));
}

const known = new Map<string, string[]>();

function importsOf(file: string): string[] {
  const found = known.get(file) ?? readImports(file);
  known.set(file, found);
  return found;
}

function readImports(file: string): string[] {
  const imports = read(file).matchAll(
    /^(?:import|export) (?!type )[^;]*?from '(\.[^']+\.ts)'|import\('(\.[^']+\.ts)'\)/gm,
  );
  const files = Array.from(imports, ([, always = '', later = '']) => join(dirname(file), always || later));
  // What a template imports is not there before it is generated from.
  return files.filter((one) => existsSync(join(REPOSITORY, one)));
}
