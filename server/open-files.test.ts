import { expect, it } from 'vitest';
import { fitConnections, requireOpenFiles } from './open-files.ts';

const SETTINGS = {
  maxConnections: 10_000,
  exportSpool: 1_024,
  databaseUrl: undefined,
  databaseConnections: 10,
  exportConnections: 4,
  metricsAddress: undefined,
};
const POSTGRES = { ...SETTINGS, databaseUrl: 'postgres://db.example/branchline' };
const MEASURED = { ...SETTINGS, metricsAddress: { host: 'localhost', port: 0 } };

it.each([
  ['as many connections as are wanted, where nothing limits them', SETTINGS, Infinity, 10_000],
  ['as many as are wanted, where the rest is enough', SETTINGS, 10_228, 10_000],
  ['fewer, where exports and the server itself would have none', SETTINGS, 1_024, 796],
  ['fewer still with PostgreSQL', POSTGRES, 1_024, 782],
  ['fewer still with metrics', MEASURED, 1_024, 696],
  ['a third of a low limit', SETTINGS, 120, 40],
])('there are %s', (_what, settings, limit, connections) => {
  expect(fitConnections(settings, limit)).toBe(connections);
});

it('a server that could open too few files does not start', () => {
  expect(() => requireOpenFiles(63)).toThrow(
    /may have 63 files open, and a server needs at least 64: raise that limit/,
  );
  expect(() => requireOpenFiles(64)).not.toThrow();
});
