import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const SUITE = import.meta.dirname;
const SELFTEST = join(SUITE, 'selftest');

/** What it stands on, which knows nothing of the service. */
const BELOW = ['@branchline/command-line', '@branchline/contract'];

const sources = globSync('**/*.ts', { cwd: SUITE })
  .filter((path) => !path.endsWith('.test.ts') && !path.split(sep).includes('testing'))
  .map((path) => join(SUITE, path));

/** What is left of a source's imports at run time: those of types are gone. Files as paths, packages by their names. */
function listImports(path: string): string[] {
  const { outputText } = ts.transpileModule(readFileSync(path, 'utf8'), {
    fileName: path,
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2024, verbatimModuleSyntax: true },
  });
  const { importedFiles } = ts.preProcessFile(outputText);
  return importedFiles.map(({ fileName }) => (fileName.startsWith('.') ? resolve(dirname(path), fileName) : fileName));
}

function importsOutside(folder: string, paths: readonly string[], below: readonly string[] = []): string[] {
  return paths.flatMap((path) =>
    listImports(path)
      .filter((one) => (one.startsWith(sep) ? !one.startsWith(folder + sep) : one.startsWith('@branchline/')))
      .filter((one) => !below.includes(one))
      .map((one) => `${path} imports ${one}`),
  );
}

describe('the suite stands alone', () => {
  it('imports nothing of this repository but its own folder and what reads contracts', () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(importsOutside(SUITE, sources, BELOW)).toEqual([]);
  });

  it('reads nothing there either', () => {
    const elsewhere = sources.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/new URL\('([^']+)', import\.meta\.url\)/g)]
        .map(([, target = '']) => resolve(dirname(path), target))
        .filter((target) => !target.startsWith(SUITE + sep)),
    );
    expect(elsewhere).toEqual([]);
  });

  it('has an engine that knows nothing of what it runs', () => {
    const engine = join(SUITE, 'engine');
    const own = sources.filter((path) => path.startsWith(engine));
    expect(own.length).toBeGreaterThan(30);
    const shared = [
      'clauses.ts',
      'could-not-run.ts',
      'given-file.ts',
      'generated/contract.json',
      'generated/manifest.json',
    ];
    expect(importsOutside(engine, own, [...BELOW, ...shared.map((path) => join(SUITE, path))])).toEqual([]);
  });

  it('is itself imported by nobody who must be independent of it: the service that it is tried against', () => {
    expect(
      importsOutside(
        SELFTEST,
        sources.filter((path) => path.startsWith(join(SELFTEST, 'service'))),
      ),
    ).toEqual([]);
  });
});
