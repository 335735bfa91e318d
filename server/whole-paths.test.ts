import { sep } from 'node:path';
import { expect, it } from 'vitest';
import { wholePaths } from './whole-paths.ts';

const here = process.cwd();
const above = here.split(sep).slice(0, -1).join(sep);

it.each([
  ['data/branchline.db', `${here}/data/branchline.db`],
  ['./branchline.db', `${here}/branchline.db`],
  ['../branchline.db', `${above}/branchline.db`],
  ['.././../branchline.db', `${above.split(sep).slice(0, -1).join(sep)}/branchline.db`],
  ['link/../branchline.db', `${here}/link/../branchline.db`],
  ['..', `${here}/..`],
  ['/var/link/../branchline.db', '/var/link/../branchline.db'],
])('makes a whole path of %s', (path, whole) => {
  expect(wholePaths({ database: path })).toEqual({ database: whole });
});

it('makes them of all that names a file, and of nothing else', () => {
  const files = ['database', 'databasePasswordFile', 'hashKeyFile', 'tlsCert', 'tlsKey', 'oidcClientSecretFile'];
  const given = Object.fromEntries([...files, 'webHost'].map((name) => [name, 'a/b']));
  const made = Object.fromEntries(files.map((name) => [name, `${here}/a/b`]));
  expect(wholePaths(given)).toEqual({ ...made, webHost: 'a/b' });
});

it('leaves the database file alone where it is not used', () => {
  const settings = { database: 'a/b', databaseUrl: 'postgres://db.example/branchline' };
  expect(wholePaths(settings)).toEqual(settings);
});
