import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { vi } from 'vitest';

/** The statements that SQLite is given from now on: by this thread, and by the one that writes for it. */
export function recordSqlite(): ReadonlySet<string> {
  const texts = new Set<string>();
  const { prepare } = DatabaseSync.prototype;
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, ...given) {
    texts.add(given[0]);
    return prepare.apply(this, given);
  });
  const { postMessage } = Worker.prototype;
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...given) {
    const [message]: unknown[] = given;
    for (const { sql } of [message].flat().map(Object)) if (typeof sql === 'string') texts.add(sql);
    postMessage.apply(this, given);
  });
  return texts;
}

/** The most keys that a statement has. */
const LONGEST = 1_000;

/** One or more columns, and a list of parameters or of rows of them. */
const LIST = /("?[\w.]+"?|\([\w", ]+\)) in \((values )?(\((?:\?(?:, )?)+\)|\?)(?:, \3)*\)/g;

/** A statement with a list of keys, made as long as it may become. */
export interface ListLookUp {
  text: string;
  /** Those whose values are listed. */
  columns: string[];
}

/** Those of the statements that have a list of keys. */
export function findListLookUps(texts: ReadonlySet<string>): ListLookUp[] {
  const found = new Map<string, ListLookUp>();
  for (const given of texts) {
    const columns: string[] = [];
    const text = given.replaceAll(LIST, (_, names: string, values: string | undefined, row: string) => {
      columns.push(...names.replaceAll(/["()]/g, '').split(', '));
      const rows = Array.from({ length: LONGEST }, () => row).join(', ');
      return `${names} in (${values ?? ''}${rows})`;
    });
    if (columns.length > 0) found.set(text, { text, columns });
  }
  return [...found.values()];
}

/** How SQLite, which keeps no statistics, comes to the rows of a statement's first table. */
export function firstStep(file: string, text: string): string {
  using database = new DatabaseSync(file, { readOnly: true });
  const steps = database.prepare(`explain query plan ${text}`).all();
  return steps.map(({ detail }) => String(detail)).find((step) => /^(SEARCH|SCAN) /.test(step)) ?? '';
}
