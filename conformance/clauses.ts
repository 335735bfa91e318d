import { readdirSync, readFileSync } from 'node:fs';
import type { Clause } from './result.ts';

const FOLDER = new URL('clauses/', import.meta.url);

/** Every clause, in the order of the files and within them. */
export const clauses: readonly Clause[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .toSorted()
  .flatMap((file) => clausesOf(readFileSync(new URL(file, FOLDER), 'utf8')));

/** By id. */
export const clauseOf: ReadonlyMap<string, Clause> = new Map(clauses.map((clause) => [clause.id, clause]));

function clausesOf(text: string): Clause[] {
  return JSON.parse(text);
}
