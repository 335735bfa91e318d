import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const SUITE = import.meta.dirname;
const PACKAGE = join(SUITE, 'package');
const FAULTS = join(SUITE, 'faults');

/** What it stands on, which knows nothing of the service. */
const BELOW = ['command-line', 'contract'].map((name) => join(SUITE, '..', name));

const sources = globSync('**/*.ts', { cwd: SUITE })
  .filter((path) => !path.endsWith('.test.ts') && !path.split(sep).includes('testing'))
  .map((path) => join(SUITE, path));

/** What is left of a source's imports at run time: those of types are gone. Files as paths, packages by their names. */
function importsOf(path: string): string[] {
  const { outputText } = ts.transpileModule(readFileSync(path, 'utf8'), {
    fileName: path,
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2024, verbatimModuleSyntax: true },
  });
  const { importedFiles } = ts.preProcessFile(outputText);
  return importedFiles.map(({ fileName }) => (fileName.startsWith('.') ? resolve(dirname(path), fileName) : fileName));
}

function importsOutside(folders: readonly string[], paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    importsOf(path)
      .filter((one) => one.startsWith(sep) && !folders.some((folder) => one.startsWith(folder + sep)))
      .map((one) => `${path} imports ${one}`),
  );
}

describe('the suite stands alone', () => {
  it('imports nothing of this repository but its own folder and what reads contracts', () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(importsOutside([SUITE, ...BELOW], sources)).toEqual([]);
  });

  it('reads nothing there either', () => {
    // Who builds the package copies files that are for people.
    const readers = sources.filter((path) => !path.startsWith(PACKAGE));
    const elsewhere = readers.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/new URL\('([^']+)', import\.meta\.url\)/g)]
        .map(([, target = '']) => resolve(dirname(path), target))
        .filter((target) => !target.startsWith(SUITE + sep)),
    );
    expect(elsewhere).toEqual([]);
  });

  it('is itself imported by nobody who must be independent of it: the service that it is tried against', () => {
    expect(
      importsOutside(
        [FAULTS],
        sources.filter((path) => path.startsWith(join(FAULTS, 'service'))),
      ),
    ).toEqual([]);
  });
});
