import { basename, join, relative, sep } from 'node:path';
import ts from 'typescript';
import { REPOSITORY } from './workspaces.ts';

/** JavaScript, its source maps, declarations and imported JSON, by path in the repository, with `/` between its parts. */
export type Compiled = ReadonlyMap<string, string>;

/** Only in memory: each file gets the place in its package that its source has in its workspace. */
const OUT = join(REPOSITORY, 'dist', 'compiled');

/** A source that runs as a thread of its own, and is imported by none. */
const THREAD = /(?<=new Worker\(new URL\('\.\/)([^']+)\.ts(?=')/g;

/**
 * Compiles sources, all that they import, and the threads that they start.
 *
 * @param entries paths in the repository
 * @throws Error where a source does not compile.
 */
export function compile(entries: readonly string[]): Compiled {
  const first = ts.createProgram(
    entries.map((path) => join(REPOSITORY, path)),
    readOptions(),
  );
  const program = ts.createProgram(
    [...first.getRootFileNames(), ...findThreads(first)],
    readOptions(),
    undefined,
    first,
  );
  const files = new Map<string, string>();
  const { diagnostics } = program.emit(undefined, (path, text) => {
    files.set(relative(OUT, path).replaceAll(sep, '/'), finishFile(path, text));
  });
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length > 0) throw new Error(ts.formatDiagnostics(problems, HOST));
  return files;
}

/** The compiler's options of this repository, for JavaScript that stands alone. */
function readOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(REPOSITORY, 'tsconfig.json'), ts.sys.readFile);
  return {
    ...ts.parseJsonConfigFileContent(config, ts.sys, REPOSITORY).options,
    noEmit: false,
    declaration: true,
    sourceMap: true,
    inlineSources: true,
    rewriteRelativeImportExtensions: true,
    rootDir: REPOSITORY,
    outDir: OUT,
  };
}

function findThreads(program: ts.Program): string[] {
  return program
    .getSourceFiles()
    .filter(({ fileName }) => !fileName.includes('/node_modules/'))
    .flatMap(({ fileName, text }) => [...text.matchAll(THREAD)].map(([path]) => join(fileName, '..', path)));
}

/** What the compiler leaves to be done. */
function finishFile(path: string, text: string): string {
  if (path.endsWith('.d.ts')) return text.replaceAll(/(?<=(?:from |import\()(["'])\.{1,2}\/[^"']+)\.ts(?=\1)/g, '.js');
  if (path.endsWith('.js.map')) return shortenSources(text);
  return text.replaceAll(THREAD, '$1.js');
}

function shortenSources(map: string): string {
  const parsed: { sources: string[] } = JSON.parse(map);
  return JSON.stringify({ ...parsed, sources: parsed.sources.map((source) => basename(source)) });
}

const HOST: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => REPOSITORY,
  getNewLine: () => '\n',
};
