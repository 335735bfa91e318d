import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import ts from 'typescript';
import type { Compiled } from './compile.ts';

/** A file that runs as a thread of its own. */
const THREAD = /new Worker\(new URL\('([^']+)'/g;

/**
 * The files that are loaded when the entries are: those, and whatever they import or start.
 *
 * @param entries paths of compiled files
 * @throws Error where one of them was not compiled.
 */
export function findReachable(compiled: Compiled, entries: readonly string[]): string[] {
  const found = new Set(entries);
  // A set goes on to what is added to it meanwhile.
  for (const path of found) {
    for (const specifier of readSpecifiers(compiled, path)) {
      if (specifier.startsWith('.')) found.add(resolveTarget(path, specifier));
    }
  }
  return [...found];
}

/** The packages that compiled files import, in order. */
export function listPackages(compiled: Compiled, paths: readonly string[]): string[] {
  const bare = paths
    .flatMap((path) => readSpecifiers(compiled, path))
    .filter((specifier) => !specifier.startsWith('.') && !isBuiltin(specifier));
  return [...new Set(bare.map(namePackage))].toSorted();
}

function readSpecifiers(compiled: Compiled, path: string): string[] {
  const text = compiled.get(path);
  if (text === undefined) throw new Error(`${path} is imported, and was not compiled.`);
  if (path.endsWith('.json')) return [];
  const imported = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  return [...imported, ...[...text.matchAll(THREAD)].map(([, file = '']) => file)];
}

/** Declarations import declarations, by the names of the files that these are of. */
function resolveTarget(path: string, specifier: string): string {
  const target = posix.join(posix.dirname(path), specifier);
  return path.endsWith('.d.ts') ? target.replace(/\.js$/, '.d.ts') : target;
}

function namePackage(specifier: string): string {
  const [scope = '', name = ''] = specifier.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}
