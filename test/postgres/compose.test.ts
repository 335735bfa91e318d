import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import repository from '../../package.json' with { type: 'json' };
import { SETTINGS } from '../../server/config.ts';
import { newDatabase, type TestDatabase } from '../../server/storage/testing/databases.ts';
import { type ServerProcess, startProcess } from '../support/command-line.ts';

interface Service {
  image: string;
  environment: Record<string, string | null>;
  secrets: string[];
  depends_on?: Record<string, { condition: string }>;
  ports?: string[];
  read_only: boolean;
  tmpfs: string[];
  cap_drop: string[];
  security_opt: string[];
  stop_grace_period: string;
  healthcheck?: { test: string[] };
}

interface Compose {
  services: { server: Service; database: Service };
  secrets: Record<string, { file: string }>;
}

const compose: Compose = parse(readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8'));
const { server, database } = compose.services;
const defaultOf = (name: string): number => Number(SETTINGS.find((setting) => setting.name === name)?.default);

describe('compose.yaml', () => {
  it.each([server, database])('runs $image read-only, with the rights that it needs alone', (service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.image).toMatch(/^[a-z./]+:\d+\.\d+[\w.-]*$/);
  });

  it('has the version of this repository, and opens the server to this machine alone', () => {
    expect(server.image).toBe(`branchline:${repository.version}`);
    expect(server.ports).toEqual(['127.0.0.1:3000:3000']);
  });

  it('sets nothing but settings that the server has', () => {
    const names = Object.keys(server.environment).filter((name) => name !== 'NODE_OPTIONS');
    expect(names.filter((name) => !SETTINGS.some(({ env }) => env === name))).toEqual([]);
  });

  it('makes no demo account, and shows no secret, unless that is asked for', () => {
    expect(server.environment['BRANCHLINE_DEMO']).toBeNull();
    expect(new URL(server.environment['DATABASE_URL'] ?? '').password).toBe('');
  });

  it('has a secret for each file that is named, in a folder that is not committed', () => {
    for (const { secrets, environment } of [server, database]) {
      const named = Object.entries(environment).flatMap(([name, file]) => (name.endsWith('_FILE') ? file : []));
      expect(named.toSorted()).toEqual(secrets.map((secret) => `/run/secrets/${secret}`).toSorted());
    }
    const ignored = readFileSync(new URL('../../.gitignore', import.meta.url), 'utf8').split('\n');
    for (const { file } of Object.values(compose.secrets)) expect(ignored).toContain(`${file.split('/')[0]}/`);
  });

  it('starts the server once the database takes connections, and lets it drain', () => {
    expect(server.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(database.healthcheck?.test).toContain('--host=127.0.0.1');
    expect(parseInt(server.stop_grace_period)).toBeGreaterThan(defaultOf('drainDelay') + defaultOf('drainTimeout') + 1);
  });

  it('leaves room in memory for what waits for slow clients, and no more', () => {
    const [, mebibytes] = /^\/tmp:size=(\d+)m/.exec(server.tmpfs[0] ?? '') ?? [];
    expect(Number(mebibytes)).toBeGreaterThan(Number(server.environment['BRANCHLINE_EXPORT_SPOOL']));
  });
});

describe('the server with the environment of compose.yaml', () => {
  let folder: string;
  let stored: TestDatabase;
  let running: ServerProcess;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'branchline-compose-'));
    stored = await newDatabase({ empty: true });
    const url = new URL(stored.location.databaseUrl ?? '');
    writeFileSync(join(folder, 'database_password'), `${decodeURIComponent(url.password)}\n`);
    writeFileSync(join(folder, 'hash_key'), `${randomBytes(32).toString('hex')}\n`);
    url.password = '';
    const given = Object.entries(server.environment).flatMap(([name, value]) =>
      value === null ? [] : [[name, value.replace('/run/secrets', folder)]],
    );
    running = await startProcess('/nowhere', [], {
      ...Object.fromEntries(given),
      DATABASE_URL: url.href,
      BRANCHLINE_METRICS_ADDRESS: '127.0.0.1:0',
    });
  });
  afterAll(async () => {
    await running.stop();
    await stored.remove();
    rmSync(folder, { recursive: true });
  });

  it('is ready, without a demo account', async () => {
    expect((await fetch(`${running.origin}/readyz`)).status).toBe(200);
    expect(running.output()).toContain('There is no workspace yet.');
  });

  it('serves metrics at an address of their own', async () => {
    const [, metrics = ''] = /Metrics: (\S+)/.exec(running.output()) ?? [];
    expect(await (await fetch(metrics)).text()).toContain('branchline_');
  });
});
