import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RELEASE = fileURLToPath(new URL('../main.ts', import.meta.url));

/** A repository of git in a folder of its own, with all that a release looks at, and a build that takes no time. */
export interface Repository {
  folder: string;
  write: (path: string, content: string) => void;
  git: (...args: string[]) => string;
  commit: () => void;
  /** Runs the release command in it. */
  release: (...args: string[]) => Promise<{ exitCode: number | null; stdout: string; stderr: string }>;
  remove: () => void;
}

export function makeRepository(): Repository {
  const folder = mkdtempSync(join(tmpdir(), 'branchline-release-'));
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const commit = (): void => {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Change');
  };
  git('init', '--quiet');
  for (const [path, content] of Object.entries(files())) write(path, content);
  commit();
  return {
    folder,
    write,
    git,
    commit,
    release: (...args) =>
      new Promise((resolve) => {
        const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' };
        const child = execFile(
          process.execPath,
          [RELEASE, ...args],
          { cwd: folder, env: { ...env, ...committer } },
          (_error, stdout, stderr) => resolve({ exitCode: child.exitCode, stdout, stderr }),
        );
      }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function files(): Record<string, string> {
  const manifest = {
    name: '@branchline/repository',
    version: '1.2.3',
    workspaces: ['bin', 'server'],
    scripts: { build: 'node build.js' },
  };
  const server = { name: '@branchline/server', version: '1.2.3', dependencies: { needed: '^1.0.0' } };
  const bin = {
    name: 'branchline',
    version: '1.2.3',
    bin: { branchline: 'branchline.js' },
    dependencies: { '@branchline/server': '1.2.3' },
  };
  const pom =
    '<?xml version="1.0"?>\n<project>\n  <version>1.2.3</version>\n  <a><version>9.9.9</version></a>\n</project>\n';
  return {
    'package.json': json({ ...manifest, devDependencies: { tested: '^2.0.0' } }),
    'package-lock.json': json({
      name: '@branchline/repository',
      version: '1.2.3',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': {
          name: '@branchline/repository',
          version: '1.2.3',
          workspaces: ['bin', 'server'],
          devDependencies: { tested: '^2.0.0' },
        },
        bin: {
          name: 'branchline',
          version: '1.2.3',
          dependencies: { '@branchline/server': '1.2.3' },
          bin: { branchline: 'branchline.js' },
        },
        'node_modules/@branchline/server': { resolved: 'server', link: true },
        'node_modules/branchline': { resolved: 'bin', link: true },
        'node_modules/needed': { version: '1.4.0', license: 'MIT' },
        'node_modules/tested': { version: '2.5.0', dev: true },
        server: { name: '@branchline/server', version: '1.2.3', dependencies: { needed: '^1.0.0' } },
      },
    }),
    'bin/package.json': json(bin),
    'server/package.json': json(server),
    'openapi.yaml': 'openapi: 3.1.0\ninfo:\n  version: 1.2.3\nx-branchline-inspector:\n  libraryVersion: 1.2.3\n',
    'android-sdk/pom.xml': pom,
    'android-sdk/samples/shop/jvm/pom.xml': pom,
    Containerfile: 'FROM x\nARG VERSION=1.2.3\n',
    'compose.yaml': 'services:\n  server:\n    image: branchline:1.2.3\n',
    'deploy/helm/branchline/Chart.yaml': 'apiVersion: v2\nversion: 1.2.3\nappVersion: 1.2.3\n',
    'examples/android/gradle/libs.versions.toml': 'kotlin = "2.0.0"\ninspector = "1.2.3"\n',
    'examples/android/README.md': 'npx branchline android package --version 1.2.3     # first\n',
    'examples/kmp/README.md': 'npx branchline android package --version 1.2.3     # first\n',
    'examples/github-actions/conformance.yml': 'run: npm install ./branchline-conformance-1.2.3.tgz\n',
    'docs/conformance.md':
      'It is `branchline-conformance-1.2.3.tgz`, or\n- uses: your-organization/branchline@v1.2.3\n',
    'CHANGELOG.md': '# Changelog\n\n## 1.2.3\n\n- It is there.\n\n## 1.2.2\n\n- It was not.\n',
    '.gitignore': 'dist/\n',
    'build.js': BUILD,
    'bin/branchline.js': PROGRAM,
  };
}

const BUILD = `
const { mkdirSync, writeFileSync } = require('node:fs');
mkdirSync('dist/npm', { recursive: true });
for (const name of ['branchline', 'branchline-server']) writeFileSync('dist/npm/' + name + '-1.2.3.tgz', name);
`;

/** In the place of the real one, of which a release calls one command. */
const PROGRAM = `
const { mkdirSync, writeFileSync } = require('node:fs');
const [, , android, command, , version, , out] = process.argv;
mkdirSync(out + '/app', { recursive: true });
writeFileSync(out + '/app/dev-' + version + '.aar', [android, command].join(' '));
`;

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
