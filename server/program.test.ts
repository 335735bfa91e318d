import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasBundle } from './program.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-program-'));
  writeFileSync(join(folder, 'main.js'), '');
});

afterEach(() => rmSync(folder, { recursive: true }));

const place = (name: string): URL => pathToFileURL(join(folder, name));

/** Whether a bundle counts whose list of sources says that of one of them. */
function countsOf(path: string, size: number, writtenMs: number): boolean {
  writeFileSync(join(folder, 'sources.json'), JSON.stringify([[path, size, writtenMs]]));
  return hasBundle(place('main.js'), place('sources.json'));
}

const { size, mtimeMs } = statSync(new URL('program.ts', import.meta.url));

it('there is a bundle of sources that are as they were', () => {
  expect(countsOf('server/program.ts', size, mtimeMs)).toBe(true);
});

it.each([
  ['written since', 'server/program.ts', size, mtimeMs - 1],
  ['of another size', 'server/program.ts', size + 1, mtimeMs],
  ['gone', 'server/no-such-source.ts', size, mtimeMs],
])('there is none of a source that is %s', (_, path, itsSize, writtenMs) => {
  expect(countsOf(path, itsSize, writtenMs)).toBe(false);
});

it('there is the one of a package, which has no list of sources', () => {
  expect(hasBundle(place('main.js'), place('sources.json'))).toBe(true);
});

it('there is none where nothing was bundled', () => {
  expect(hasBundle(place('another.js'), place('sources.json'))).toBe(false);
});
