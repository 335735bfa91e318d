import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRepository, type Repository } from './testing/repository.ts';
import { findOtherVersions } from './versions.ts';

const OUT = 'dist/release/1.2.3';

interface Bill {
  components: { name: string; version: string }[];
}

let repository: Repository;
beforeEach(() => {
  repository = makeRepository();
});
afterEach(() => repository.remove());

const read = (path: string): string => readFileSync(join(repository.folder, path), 'utf8');

describe('a release', () => {
  it('is packages, the Android library, a bill of materials and checksums, and then a tag', async () => {
    const { exitCode, stdout, stderr } = await repository.release();
    expect(exitCode, stderr).toBe(0);
    const sums = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], {
      cwd: join(repository.folder, OUT),
      encoding: 'utf8',
    });
    expect(sums.trimEnd().split('\n')).toEqual([
      'branchline-1.2.3.cdx.json: OK',
      'maven/app/dev-1.2.3.aar: OK',
      'npm/branchline-1.2.3.tgz: OK',
      'npm/branchline-server-1.2.3.tgz: OK',
    ]);
    expect(read(`${OUT}/maven/app/dev-1.2.3.aar`)).toBe('android package');
    expect(repository.git('cat-file', '-t', 'v1.2.3')).toBe('tag\n');
    expect(repository.git('rev-parse', 'v1.2.3^{commit}')).toBe(repository.git('rev-parse', 'HEAD'));
    expect(stdout).toContain('  git push origin v1.2.3\n');
    expect([...stdout.matchAll(/npm publish .*\/(.*)$/gm)].map(([, name]) => name)).toEqual([
      'branchline-server-1.2.3.tgz',
      'branchline-1.2.3.tgz',
    ]);
  });

  it('has a bill of what is needed at run time, as CycloneDX', async () => {
    await repository.release('--dry-run');
    const bill: Bill = JSON.parse(read(`${OUT}/branchline-1.2.3.cdx.json`));
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: '@branchline/repository' } } });
    const components = bill.components.map(({ name, version }) => `${name} ${version}`);
    expect(components).toEqual(['branchline 1.2.3', 'needed 1.4.0', '@branchline/server 1.2.3']);
  });

  it('is tried without a tag, as often as one likes', async () => {
    for (let time = 0; time < 2; time++) {
      const { exitCode, stdout, stderr } = await repository.release('--dry-run');
      expect(exitCode, stderr).toBe(0);
      expect(stdout).toContain('This was a dry run, so there is no tag.');
      expect(stdout).not.toContain('npm publish');
    }
    expect(repository.git('tag')).toBe('');
    expect(read(`${OUT}/SHA256SUMS`)).toContain('  npm/branchline-1.2.3.tgz\n');
  });
});

describe('a release is refused, with a sentence, and leaves no tag,', () => {
  it.each<[string, () => void, string]>([
    [
      'where something is not committed',
      () => repository.write('server/new.ts', ''),
      'The work tree has changes that are not committed (server/new.ts); commit them, or put them away.',
    ],
    [
      'where the version has no section in the changelog',
      () => change('CHANGELOG.md', '## 1.2.3', '## Unreleased'),
      'CHANGELOG.md has no section for this version; give what is under "Unreleased" the heading "## 1.2.3".',
    ],
    [
      'where that section is empty',
      () => change('CHANGELOG.md', '- It is there.', ''),
      'CHANGELOG.md has no section for this version',
    ],
    [
      'where another file has another version',
      () => change('android-sdk/samples/shop/jvm/pom.xml', '1.2.3', '1.2.2'),
      'android-sdk/samples/shop/jvm/pom.xml says 1.2.2, and package.json 1.2.3; "npm run release -- --set-version 1.2.3" makes them the same.',
    ],
    [
      'where a package wants another version of another one',
      () => change('bin/package.json', '"@branchline/server": "1.2.3"', '"@branchline/server": "^1.2.0"'),
      'bin/package.json says ^1.2.0, and package.json 1.2.3',
    ],
    [
      'where a file does not say its version any more',
      () => change('Containerfile', 'ARG VERSION=1.2.3', ''),
      'Containerfile does not say its version where that is expected (release/versions.ts).',
    ],
    [
      'where a package is built of another version',
      () => change('build.js', '-1.2.3', '-1.2.2'),
      '"npm run build" made branchline-1.2.2.tgz, which is not of version 1.2.3.',
    ],
    [
      'where something can not be built',
      () => change('build.js', 'mkdirSync(', "throw new Error('no room'); mkdirSync("),
      '"npm run build" failed (1).',
    ],
    [
      'where the build changes what is committed',
      () => change('build.js', 'mkdirSync(', "writeFileSync('openapi.yaml', ''); mkdirSync("),
      'The build changed what is committed.\nThe work tree has changes that are not committed (openapi.yaml)',
    ],
  ])('%s', async (_where, prepare, sentence) => {
    prepare();
    const { exitCode, stderr } = await repository.release();
    expect(exitCode).toBe(1);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/^\s+at .*release\//m);
    expect(repository.git('tag')).toBe('');
  });

  it('where it is there already', async () => {
    repository.git('tag', 'v1.2.3');
    const { exitCode, stderr } = await repository.release('--dry-run');
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'There is a tag v1.2.3 already, and a release never changes; "npm run release -- --set-version" takes the next version.\n',
    );
  });

  it('and all that is in the way is said at once', async () => {
    repository.git('tag', 'v1.2.3');
    change('CHANGELOG.md', '## 1.2.3', '## Unreleased');
    repository.write('x', '');
    const { stderr } = await repository.release();
    expect(stderr.trimEnd().split('\n')).toHaveLength(3);
  });
});

describe('a version', () => {
  it('is written wherever it is repeated, and nowhere else', async () => {
    const { exitCode } = await repository.release('--set-version', '2.0.0-rc.1');
    expect(exitCode).toBe(0);
    expect(findOtherVersions(repository.folder)).toEqual([]);
    const changed = repository
      .git('diff', '--unified=0')
      .split('\n')
      .filter((line) => /^\+[^+]/.test(line));
    expect(changed).toHaveLength(23);
    for (const line of changed) expect(line.match(/\d+\.\d+\.\d+\S*?(?=["`<\s]|\.tgz|$)/g)).toEqual(['2.0.0-rc.1']);
    expect(read('android-sdk/pom.xml')).toContain('<version>9.9.9</version>');
  });

  it('must be one', async () => {
    const { exitCode, stderr } = await repository.release('--set-version', 'v2');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('It must be a version such as 1.2.3 or 1.2.3-rc.1.');
    expect(repository.git('status', '--porcelain')).toBe('');
  });
});

it('this repository has one version', () => {
  expect(findOtherVersions(fileURLToPath(new URL('..', import.meta.url)))).toEqual([]);
});

function change(path: string, from: string, to: string): void {
  repository.write(path, read(path).replace(from, to));
  repository.commit();
}
