import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import repository from '../../package.json' with { type: 'json' };
import { SETTINGS } from '../../server/config.ts';
import { contextFiles, filesOf } from './support/build-context.ts';
import { imageConfig, pairs, parseContainerfile } from './support/containerfile.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

const stages = parseContainerfile(read('Containerfile'));
const last = stages.at(-1);
if (last === undefined) throw new Error('The Containerfile has no stage.');
const config = imageConfig(last);

describe('the Containerfile', () => {
  it('starts all stages from one pinned image, with the Node that the tests run on', () => {
    const lock: { packages: Record<string, { version: string }> } = JSON.parse(read('package-lock.json'));
    const { version = '' } = lock.packages['node_modules/node'] ?? {};
    expect(new Set(stages.map(({ base }) => base))).toEqual(
      new Set([`docker.io/library/node:${version}-bookworm-slim`]),
    );
  });

  it('runs Node itself, not as root, so that signals reach it', () => {
    expect(config.entrypoint[0]).toBe('node');
    expect(config.user).toMatch(/^[1-9]\d+:[1-9]\d+$/);
    expect(last.instructions.filter(({ name }) => name === 'USER')).toHaveLength(1);
  });

  it('sets nothing but settings that the server has, to what they may be', () => {
    for (const [name, value] of Object.entries(config.env)) {
      if (name === 'NODE_ENV') continue;
      const setting = SETTINGS.find(({ env }) => env === name);
      expect(() => setting?.parse(value), name).not.toThrow();
      expect(setting, name).toBeDefined();
    }
    expect(config.env['BRANCHLINE_DATABASE']).toMatch(new RegExp(`^${config.volumes[0]}/`));
  });

  it('labels the image with the version of this repository', () => {
    const labels = pairs(last.instructions.find(({ name }) => name === 'LABEL')?.text ?? '');
    expect(labels).toMatchObject({
      'org.opencontainers.image.title': 'Branchline',
      'org.opencontainers.image.licenses': repository.license,
      'org.opencontainers.image.version': repository.version,
    });
  });
});

describe('what the image is built from', () => {
  const files = contextFiles(read('.containerignore'), [
    ...filesOf(REPOSITORY),
    'data/branchline.db.key',
    'secrets/hash-key',
    '.env',
    '.git/config',
    'server/node_modules/x/index.js',
  ]);

  it('is the sources, without tests, data, secrets and history', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        'package-lock.json',
        'bin/cli.ts',
        'server/generated/contract.json',
        'console/index.html',
      ]),
    );
    expect(
      files.filter((file) => /\.test\.ts$|\/testing\/|node_modules|^(\.|data|secrets|test|docs)\b/.test(file)),
    ).toEqual([]);
  });

  it('is the same for Docker, which reads a file of another name', () => {
    expect(read('.dockerignore')).toBe(read('.containerignore'));
  });
});
