import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { administer, newPostgres } from '../testing/databases.ts';
import { errorOf } from '../testing/error-of.ts';
import { ofTest } from '../testing/statements-of-tests.ts';
import { isUnavailable } from '../transient-errors.ts';
import { openPostgres } from './database.ts';

it.each<[string, (file: string) => void, string]>([
  ['is lost', () => {}, 'ENOENT'],
  ['is a named pipe', (file) => void execFileSync('mkfifo', [file]), 'no regular file of at most 1 MiB'],
  ['is a device without an end', (file) => symlinkSync('/dev/zero', file), 'no regular file of at most 1 MiB'],
])('a file of TLS that %s makes new connections unavailable, until it is there again', async (_what, replace, said) => {
  const { location, remove } = await newPostgres(inject('postgresUrl') ?? '', { patient: false });
  onTestFinished(remove);
  const folder = mkdtempSync(join(tmpdir(), 'branchline-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'root.pem');
  writeFileSync(file, '');
  // Read for each connection all the same.
  const url = new URL(location.databaseUrl ?? '');
  url.searchParams.set('sslmode', 'disable');
  url.searchParams.set('sslrootcert', file);
  const storage = ofTest(await openPostgres(url.href, { connections: 1, connectMs: 500 }));
  onTestFinished(() => storage.close());
  await storage.ping();
  rmSync(file);
  replace(file);
  await administer(
    location.databaseUrl ?? '',
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  const read = () => errorOf(storage.db.selectFrom('workspaces').selectAll().where('workspace_id', '=', 'w').execute());
  await expect.poll(() => read()).toSatisfy(isUnavailable);
  // Some wait for the one connection.
  const errors = await Promise.all(Array.from({ length: 5 }, read));
  expect(errors).toSatisfy((all: unknown[]) => all.every(isUnavailable));
  expect(String(errors[0])).toContain(`can't be read (${said})`);
  rmSync(file, { force: true });
  writeFileSync(file, '');
  await expect.poll(() => errorOf(storage.ping())).toBeUndefined();
});
