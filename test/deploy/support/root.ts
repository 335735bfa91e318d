import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a file system is entered with. */
export interface Entry {
  /** Folder that becomes `/`. */
  root: string;
  /** `10001:10001`; left out: root. */
  user?: string | undefined;
  workdir: string;
  env: Readonly<Record<string, string>>;
  /** Folders of this machine, by where they stand in the root. */
  mounts?: Readonly<Record<string, string>>;
  /** Whether nothing but the mounts and `/tmp` can be written. Defaults to false. */
  readOnly?: boolean;
}

/** Of the base image, what our Containerfile's commands use. */
const PROGRAMS = ['sh', 'env', 'chmod', 'install', 'ln', 'rm'];

/** Parts of the C library that are loaded by name, by modules of npm packages among others. */
const PARTS_OF_LIBC = ['librt.so.1', 'libresolv.so.2', 'libnss_dns.so.2', 'libnss_files.so.2'];

export const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Why programs can't be run in a root of their own on this machine, in a sentence without its end. */
export function missingRoots(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'a root of its own needs Linux and the user root';
  const tried = spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']);
  if (tried.status !== 0) return 'this machine allows no namespaces (unshare)';
  return undefined;
}

/** Makes a root with Node, npm and {@link PROGRAMS} of this machine, and the libraries that they load: the base image's part. */
export function makeBase(root: string): void {
  for (const folder of ['dev', 'proc', 'tmp', 'root', 'etc', 'usr/local/bin', 'usr/bin', 'bin'])
    mkdirSync(join(root, folder), { recursive: true });
  const programs = PROGRAMS.map((name) => [located(name), `bin/${name}`] as const);
  for (const [program, place] of [...programs, [process.execPath, 'usr/local/bin/node'] as const]) {
    cpSync(realpathSync(program), join(root, place));
    for (const library of librariesOf(program)) copyLibrary(library, root);
  }
  const libc = librariesOf(process.execPath).find((path) => path.endsWith('/libc.so.6')) ?? '';
  for (const part of PARTS_OF_LIBC) copyLibrary(join(dirname(libc), part), root);
  symlinkSync('/bin/env', join(root, 'usr/bin/env'));
  cpSync(npmFolder(), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
}

function located(program: string): string {
  return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
}

/** Where npm's program is a link to a file of its folder. */
function npmFolder(): string {
  return join(dirname(realpathSync(located('npm'))), '..');
}

function librariesOf(program: string): string[] {
  return [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)].map(
    ([, path = '']) => path,
  );
}

function copyLibrary(path: string, root: string): void {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  cpSync(realpathSync(path), join(root, path));
}

/** The arguments of `unshare` with which a program runs in a root, as the first process of its own. */
export function enter(
  { root, user = '0:0', workdir, env, mounts = {}, readOnly = false }: Entry,
  program: readonly string[],
): string[] {
  const script = [
    'mount --bind "$0" "$0"',
    'mount --rbind /dev "$0/dev"',
    'mount -t proc proc "$0/proc"',
    ...(readOnly ? ['mount -t tmpfs -o mode=1777 tmpfs "$0/tmp"'] : []),
    ...Object.entries(mounts).map(([place, folder]) => `mount --bind ${quoted(folder)} "$0"${quoted(place)}`),
    ...(readOnly ? ['mount -o remount,bind,ro "$0"'] : []),
    'exec "$@"',
  ].join('\n');
  const variables = Object.entries({ PATH, ...env }).map(([name, value]) => `${name}=${value}`);
  const changed = ['env', '--ignore-environment', ...variables, 'chroot', `--userspec=${user}`, '--groups=', root];
  const inside = ['/bin/sh', '-c', 'cd "$0" && exec "$@"', workdir, ...program];
  return ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-euc', script, root, ...changed, ...inside];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
