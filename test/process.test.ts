import { execFileSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { connect, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { branchline, type ServerProcess, startProcess } from './support/command-line.ts';

let folder: string;
let database: string;
const servers: ServerProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'branchline-process-'));
  database = join(folder, 'branchline.db');
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop('SIGKILL');
  rmSync(folder, { recursive: true });
});

async function start(args: string[] = []): Promise<ServerProcess> {
  const server = await startProcess(database, args);
  servers.push(server);
  return server;
}

async function openSocket(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  return socket;
}

describe('a start that can not be', () => {
  it('on a database that another server uses: a sentence and exit code 2', async () => {
    await start();
    const second = await branchline(['serve', '--port', '0', '--database', database]);
    expect(second.exitCode).toBe(2);
    expect(second.stderr).toBe(
      `branchline: Another Branchline server is using ${database}. Stop it first, or name another database with --database.\n`,
    );
  });

  it('on a port that is taken', async () => {
    const { origin } = await start();
    const { port } = new URL(origin);
    const second = await branchline(['serve', '--port', port, '--database', join(folder, 'other.db')]);
    expect(second.exitCode).toBe(2);
    expect(second.stderr).toBe(
      `branchline: Port ${port} of 127.0.0.1 is in use. Stop what uses it, or name another address with --host and --port.\n`,
    );
  });

  it('on an address for metrics that is taken', async () => {
    const { origin } = await start();
    const { host, port } = new URL(origin);
    const args = ['serve', '--port', '0', '--database', join(folder, 'other.db'), '--metrics-address', host];
    expect(await branchline(args)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(
        `branchline: Port ${port} of 127.0.0.1 is in use. Stop what uses it, or name another address with --metrics-address.\n`,
      ),
    });
  });

  it.each([
    [
      ['--port', '0', '--host', 'fe80::1%nope'],
      {},
      /can't listen on port 0 of fe80::1%nope \(EINVAL\)\. Name another address with --host/,
    ],
    [['--port', 'http'], {}, /--port <number>.*'http' is invalid. It must be a whole number from 0 to 65535/],
    [[], { PORT: '99999' }, /'99999' from env 'PORT' is invalid.*whole number/],
    [['--rate-limit', '0'], {}, /from 0\.00001 to 1000000/],
    [['--web-host', 'https://x'], {}, /without https/],
    [['--web-host', 'x:99999'], {}, /must be a host/],
    [['--web-host', 'a..b'], {}, /must be a host/],
    [['--web-host', '-'], {}, /must be a host/],
    [['--web-host', '[::1::]'], {}, /must be a host/],
    [['--trusted-proxies', '0.0.0.0/0'], {}, /must be addresses, networks/],
    [['--trusted-proxies', 'loopback, ::/0'], {}, /must be addresses, networks/],
    [['--trusted-proxies', '::ffff:0:0/96'], {}, /of IPv4 as IPv4, not as ::ffff:…/],
    [['--trusted-proxies', '0:0:0:0:0:FFFF:10.0.0.0/104'], {}, /of IPv4 as IPv4, not as ::ffff:…/],
    [['--database', ':memory:'], {}, /must be the path of a file/],
    [['--database', 'data/'], {}, /must be the path of a file, .+, not a folder/],
    [['--database', 'file:x.db?mode=memory'], {}, /must be the path of a file/],
    [[], { BRANCHLINE_HASH_KEY: 'secret' }, /64 hexadecimal digits/],
    [[], { BRANCHLINE_DOCS: 'yes' }, /'--\[no-\]docs' value 'yes' from env 'BRANCHLINE_DOCS'.* must be true or false/],
    [['--metrics-address', '9464'], {}, /must be a host and a port, such as 127\.0\.0\.1:9464/],
    [['--metrics-address', '::1:9464'], {}, /\[::1\]:9464 for IPv6/],
    [['--metrics-address', '[127.0.0.1]:9464'], {}, /must be a host and a port/],
    [['--metrics-address', 'localhost:65536'], {}, /must be a host and a port/],
    [['--oidc-issuer', 'http://login.example.com'], {}, /It must be a URL such as https:\/\/login\.example\.com/],
    [['--oidc-issuer', 'https://login.example.com'], {}, /give all three, or none/],
    [['--colour'], {}, /unknown option '--colour'/],
  ])('with a setting that can not stand: %j %j', async (args, env, sentence) => {
    const refused = await branchline(['serve', '--database', database, ...args], env);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(sentence);
    expect(refused.stderr).not.toMatch(/^\s+at /m);
  });

  it('after the hash key has been exchanged for something else', async () => {
    await (await start(['--drain-delay', '0'])).stop();
    for (const text of ['not a key', '']) {
      writeFileSync(`${database}.key`, text);
      const refused = await branchline(['serve', '--port', '0', '--database', database]);
      expect(refused).toMatchObject({
        exitCode: 2,
        // A key that is made anew would be of no use.
        stderr: expect.stringMatching(/must be 32 bytes as 64 hexadecimal digits\. Put it back from your backup/),
      });
    }
  });

  it.each([
    ['removed', () => rmSync(database)],
    ['emptied', () => truncateSync(database)],
    [
      'moved from behind its link',
      () => {
        renameSync(database, `${database}.moved`);
        renameSync(`${database}.key`, join(folder, 'elsewhere.db.key'));
        symlinkSync(join(folder, 'elsewhere.db'), database);
      },
    ],
  ])('after the database has been %s, and its hash key has not', async (_what, lose) => {
    await (await start(['--drain-delay', '0'])).stop();
    lose();
    const before = readdirSync(folder);
    for (const args of [
      ['serve', '--port', '0'],
      ['workspace', 'create', 'shop'],
    ]) {
      const refused = await branchline([...args, '--database', database]);
      expect(refused).toMatchObject({
        exitCode: 2,
        stderr: expect.stringMatching(
          /There is no database at .*branchline\.db, but what belongs to one \(.*\.db\.key.*\): .*Restore it .*or remove what is left/,
        ),
      });
    }
    expect(readdirSync(folder).filter((name) => !name.includes('.lock'))).toEqual(
      before.filter((name) => !name.includes('.lock')),
    );
  });

  it('also where the hash key is given and is no file, until what is left of it is removed', async () => {
    const given = { BRANCHLINE_HASH_KEY: 'a'.repeat(64), BRANCHLINE_DATABASE: database };
    await (await startProcess(database, ['--drain-delay', '0'], given)).stop();
    expect(readdirSync(folder)).not.toContain('branchline.db.key');
    const stored = readFileSync(database);
    for (const lose of [() => rmSync(database), () => writeFileSync(database, '')]) {
      lose();
      expect(await branchline(['serve', '--port', '0'], given)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringMatching(/There is no database at .*\(.*branchline\.db\.lock\): .*lost or moved/),
      });
    }
    writeFileSync(database, stored);
    await (await startProcess(database, ['--drain-delay', '0'], given)).stop();
    for (const file of readdirSync(folder)) rmSync(join(folder, file));
    const again = await startProcess(database, [], given);
    servers.push(again);
    expect(again.output()).toContain('curl');
  });

  it('on an old Node: a sentence that says which is needed', () => {
    const oldNode = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`;
    const preload = join(folder, 'old-node.cjs');
    writeFileSync(preload, oldNode);
    const launcher = fileURLToPath(new URL('../bin/branchline.js', import.meta.url));
    const run = () =>
      execFileSync(process.execPath, ['--require', preload, launcher, 'serve'], { stdio: 'pipe', encoding: 'utf8' });
    expect(run).toThrow(
      expect.objectContaining({
        status: 2,
        stderr: expect.stringMatching(/^Branchline needs Node 24 or newer, and this is 20.20.2\. .*npm ci.*\n$/),
      }),
    );
  });
});

describe('SIGTERM', () => {
  it('fails /readyz first, still serves, then ends the requests under way and exits with 0', async () => {
    const server = await start(['--drain-delay', '5']);
    const slow = await openSocket(server.origin);
    const answer: Buffer[] = [];
    slow.on('data', (chunk: Buffer) => answer.push(chunk));
    slow.write(
      'POST /inspector/batches/v1 HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\napi-key: x\r\n',
    );

    server.process.kill('SIGTERM');
    await expect.poll(async () => (await fetch(`${server.origin}/readyz`)).status).toBe(503);
    expect((await fetch(`${server.origin}/livez`)).status).toBe(200);

    slow.write('\r\n{}');
    await once(slow, 'end');
    expect(Buffer.concat(answer).toString()).toMatch(/^HTTP\/1.1 401 /);
    expect(await server.ended).toBe(0);
  });

  it('waits for nothing behind the reply to a request that was under way when it stopped listening', async () => {
    const server = await start(['--drain-delay', '0', '--drain-timeout', '60']);
    const slow = await openSocket(server.origin);
    const answer: Buffer[] = [];
    slow.on('data', (chunk: Buffer) => answer.push(chunk));
    slow.write(
      'POST /workspaces/shop/sessions/v1 HTTP/1.1\r\nhost: x\r\nsec-fetch-site: same-origin\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{',
    );
    await fetch(`${server.origin}/livez`);

    server.process.kill('SIGTERM');
    await expect
      .poll(() => fetch(`${server.origin}/livez`).catch(() => 'refused'), { timeout: 30_000 })
      .toBe('refused');
    slow.write('}');
    await once(slow, 'end');
    expect(Buffer.concat(answer).toString()).toMatch(/^HTTP\/1.1 400 .*^connection: close\r$/ims);
    expect(await server.ended).toBe(0);
  });

  it('cuts off what does not end within the bound, and says so by exit code 1', async () => {
    const server = await start(['--drain-delay', '0', '--drain-timeout', '1']);
    const stuck = await openSocket(server.origin);
    stuck.on('error', () => {});
    stuck.write('POST /inspector/batches/v1 HTTP/1.1\r\nhost: x\r\n');
    await fetch(`${server.origin}/livez`);
    expect(await server.stop('SIGTERM')).toBe(1);
  });

  it('ends with 0 although a connection is idle, however short the bound is', async () => {
    const server = await start(['--drain-delay', '0', '--drain-timeout', '1']);
    const idle = await openSocket(server.origin);
    idle.resume();
    expect(await server.stop('SIGTERM')).toBe(0);
  });
});

describe('what is on or off', () => {
  it.each<[string[], Record<string, string>, number]>([
    [[], {}, 200],
    [['--docs'], { BRANCHLINE_DOCS: 'false' }, 200],
    [['--no-docs'], { BRANCHLINE_DOCS: 'true' }, 404],
    [[], { BRANCHLINE_DOCS: 'true' }, 200],
    [[], { BRANCHLINE_DOCS: 'false' }, 404],
  ])('follows the flag, or else the environment: %j %j', async (args, env, status) => {
    const server = await startProcess(database, args, env);
    servers.push(server);
    expect((await fetch(`${server.origin}/docs`)).status).toBe(status);
  });
});

it('metrics are served at an IPv6 address too, and closed with the server', async (test) => {
  if (!Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))) {
    return test.skip('This machine has no IPv6.');
  }
  const server = await start(['--metrics-address', '[::1]:0', '--drain-delay', '0']);
  const [, address = ''] = /^Metrics: (http:\/\/\[::1\]:\d+\/metrics)$/m.exec(server.output()) ?? [];
  expect(await (await fetch(address)).text()).toContain('branchline_request_seconds');
  expect(await server.stop('SIGTERM')).toBe(0);
  await expect(fetch(address)).rejects.toThrow('fetch failed');
});

it('what was answered is still there after a kill', async () => {
  const first = await start();
  const [, credentials] = /-u '([^']+)'/.exec(first.output()) ?? [];
  const authorization = `Basic ${Buffer.from(credentials ?? '').toString('base64')}`;
  const created = await fetch(`${first.origin}/workspaces/demo/branches/v1`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{"name":"survivor"}',
  });
  expect(created.status).toBe(201);
  await first.stop('SIGKILL');
  const second = await start();
  const listed = await fetch(`${second.origin}/workspaces/demo/branches/export/v1`, { headers: { authorization } });
  expect(await listed.text()).toContain('survivor,');
});
