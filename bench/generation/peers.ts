import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../programs.ts';

/** Another generator, and its command line. */
export interface Peer {
  name: string;
  parameters: (spec: string, out: string) => string[];
}

const PEERS: readonly (Peer & { package: string; version: string })[] = [
  {
    name: 'openapi-typescript (types alone)',
    package: 'openapi-typescript',
    version: '7.13.0',
    parameters: (spec, out) => [spec, '-o', join(out, 'types.ts')],
  },
  {
    name: '@hey-api/openapi-ts',
    package: '@hey-api/openapi-ts',
    version: '0.99.0',
    parameters: (spec, out) => ['-i', spec, '-o', out],
  },
  {
    name: 'orval',
    package: 'orval',
    version: '8.38.0',
    parameters: (spec, out) => ['--input', spec, '--output', join(out, 'client.ts'), '--client', 'fetch'],
  },
];

/** Not installed with the rest: a contract of 13 MB. */
const LARGE = { package: '@octokit/openapi', version: '23.0.2', file: 'generated/api.github.com.json' };

export interface Installed {
  peers: Peer[];
  /** Path of the large contract. */
  large: string | undefined;
  /** What could not be installed. */
  missing: string[];
}

/** Has npm install the other generators, and where it is wanted a large contract, into a folder. */
export async function installPeers(folder: string, wantsLarge: boolean): Promise<Installed> {
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const peers: Peer[] = [];
  const missing: string[] = [];
  for (const { name, package: library, version, parameters } of PEERS) {
    if (!(await install(folder, [`${library}@${version}`, 'typescript@5.9']))) {
      missing.push(`${library} ${version}`);
      continue;
    }
    const program = await findProgram(join(folder, 'node_modules', library));
    peers.push({ name: `${name} ${version}`, parameters: (...places) => [program, ...parameters(...places)] });
  }
  const hasLarge = wantsLarge && (await install(folder, [`${LARGE.package}@${LARGE.version}`]));
  if (wantsLarge && !hasLarge) missing.push(`${LARGE.package} ${LARGE.version}`);
  return { peers, missing, large: hasLarge ? join(folder, 'node_modules', LARGE.package, LARGE.file) : undefined };
}

async function install(folder: string, packages: readonly string[]): Promise<boolean> {
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], folder);
    return true;
  } catch {
    process.stderr.write(`${packages[0]} is left out: npm could not install it.\n`);
    return false;
  }
}

async function findProgram(folder: string): Promise<string> {
  const { bin }: { bin: Record<string, string> } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  return join(folder, Object.values(bin)[0] ?? '');
}
