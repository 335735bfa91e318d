import { isBuiltin } from 'node:module';
import { dirname } from 'node:path';
import ts from 'typescript';

/** What a program compiles to. */
export interface Compiled {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** The packages that it imports at run time, in order. */
  readonly packages: readonly string[];
}

interface Folders {
  readonly rootDir: string;
  readonly outDir: string;
}

/**
 * Compiles a program and all that it imports to JavaScript.
 *
 * @throws Error where a source does not compile.
 */
export function compile(entry: string, folders: Folders): Compiled {
  const program = ts.createProgram([entry], { ...options(), ...folders });
  const files: { path: string; text: string }[] = [];
  const { diagnostics } = program.emit(undefined, (path, text) => files.push({ path, text }));
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length > 0) throw new Error(ts.formatDiagnostics(problems, HOST));
  return { files, packages: packagesOf(files) };
}

/** The compiler's options of this repository, for JavaScript that stands alone. */
function options(): ts.CompilerOptions {
  const path = ts.findConfigFile(import.meta.dirname, ts.sys.fileExists) ?? 'tsconfig.json';
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  return {
    ...ts.parseJsonConfigFileContent(config, ts.sys, dirname(path)).options,
    noEmit: false,
    rewriteRelativeImportExtensions: true,
  };
}

/** Of what is left when types are gone. */
function packagesOf(files: Compiled['files']): string[] {
  const specifiers = files
    .filter(({ path }) => path.endsWith('.js'))
    .flatMap(({ text }) => ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName));
  const bare = specifiers.filter((name) => !name.startsWith('.') && !isBuiltin(name));
  return [...new Set(bare.map(packageOf))].toSorted();
}

function packageOf(specifier: string): string {
  const [scope = '', name = ''] = specifier.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

const HOST: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: ts.sys.getCurrentDirectory,
  getNewLine: () => '\n',
};
