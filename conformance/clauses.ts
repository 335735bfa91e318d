import { readdirSync, readFileSync } from 'node:fs';
import type { Clause } from './engine/result.ts';

/** Every clause: those of a service, then those of a library, each in the order of the files and within them. */
export const clauses: readonly Clause[] = ['service/clauses/', 'library/clauses/'].flatMap((folder) =>
  readClauses(new URL(folder, import.meta.url)),
);

export const clausesById: ReadonlyMap<string, Clause> = new Map(clauses.map((clause) => [clause.id, clause]));

function readClauses(folder: URL): Clause[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.toSorted().flatMap((file): Clause[] => JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
}
