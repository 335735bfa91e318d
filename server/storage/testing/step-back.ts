import type { TestDatabase } from './databases.ts';
import { administer } from './databases.ts';

/** A copy of a PostgreSQL database as it was. */
export interface EarlierCopy {
  /** Puts the copy in the place of the database, under the feet of those who use it. */
  putBack: () => Promise<void>;
}

/** Copies a PostgreSQL database; for a moment nobody can be connected to it. */
export async function keepCopy(location: TestDatabase['location']): Promise<EarlierCopy> {
  const url = new URL(location.databaseUrl ?? '');
  const name = url.pathname.slice(1);
  const [copy, former] = [`${name}_copy`, `${name}_former`];
  url.pathname = 'postgres';
  const alone = [
    `alter database ${name} allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  ];
  const open = `alter database ${name} allow_connections true`;
  await administer(url.href, ...alone, `create database ${copy} template ${name} strategy file_copy`, open);
  return {
    putBack: () =>
      administer(
        url.href,
        ...alone,
        `alter database ${name} rename to ${former}`,
        `alter database ${copy} rename to ${name}`,
        `drop database ${former} with (force)`,
        `alter database ${name} allow_connections true`,
      ),
  };
}
