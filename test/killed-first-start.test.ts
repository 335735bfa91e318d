import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ServerProcess, startProcess } from './support/command-line.ts';

/** A first start that is killed, wherever it was: the next one goes on, and is the first. */

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-killed-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Kills a process before that step of all that it does to files and databases. */
const KILLER = `
const { isMainThread } = require('node:worker_threads');
const { syncBuiltinESMExports } = require('node:module');
const fs = require('node:fs');
const sqlite = require('node:sqlite');
let left = Number(process.env.STEPS);
const step = (path) => {
  if (isMainThread && String(path).startsWith(process.env.FOLDER) && left-- === 0) process.kill(process.pid, 'SIGKILL');
};
for (const name of ['copyFileSync', 'fchmodSync', 'linkSync', 'mkdirSync', 'openSync', 'renameSync', 'rmSync', 'writeFileSync']) {
  const original = fs[name];
  fs[name] = (path, ...more) => {
    step(path);
    return original(path, ...more);
  };
}
sqlite.DatabaseSync = class extends sqlite.DatabaseSync {
  #file;
  constructor(file, ...more) {
    step(file);
    super(file, ...more);
    this.#file = file;
  }
  exec(statements) {
    step(this.#file);
    super.exec(statements);
  }
  close() {
    step(this.#file);
    super.close();
  }
};
syncBuiltinESMExports();
`;

/** @returns the server; undefined where it was killed before it listened */
async function startKilledAfter(steps: number, data: string): Promise<ServerProcess | undefined> {
  const killer = join(folder, 'killer.cjs');
  writeFileSync(killer, KILLER);
  const env = { NODE_OPTIONS: `--require ${killer}`, FOLDER: data, STEPS: String(steps) };
  try {
    return await startProcess(join(data, 'branchline.db'), [], env);
  } catch (error) {
    // No exit code: a signal.
    expect(String(error)).toContain('The server ended with null before it listened');
    return undefined;
  }
}

async function expectFirstStart(data: string): Promise<void> {
  const server = await startProcess(join(data, 'branchline.db'));
  expect(server.output()).toContain('curl');
  await server.stop('SIGKILL');
}

const look = (data: string) =>
  readdirSync(folder).includes('data') ? readdirSync(data).map((name) => [name, statSync(join(data, name)).size]) : [];

it('after every step', async () => {
  const data = join(folder, 'data');
  const seen = new Set<string>();
  let steps = 0;
  for (; ; steps += 1) {
    const server = await startKilledAfter(steps, data);
    const left = JSON.stringify(
      look(data).map(([name, size]) => [String(name).replace(/\.key\.\w+$/, '.key.new'), size]),
    );
    if (server === undefined && !seen.has(left)) await expectFirstStart(data);
    seen.add(left);
    await server?.stop('SIGKILL');
    rmSync(data, { recursive: true, force: true });
    if (server !== undefined) break;
  }
  // The folder, the database, its lock and its key.
  expect(seen.size).toBeGreaterThan(4);
}, 120_000);

it.each([
  ['before the first page', ['']],
  ['within the first page', ['', '-journal']],
])('while SQLite made the file, %s', async (_when, suffixes) => {
  for (const suffix of suffixes) writeFileSync(join(folder, `branchline.db${suffix}`), '');
  await expectFirstStart(folder);
});
