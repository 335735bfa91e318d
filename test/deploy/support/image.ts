import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { contextFiles, filesOf } from './build-context.ts';
import { type ImageConfig, imageConfig, type Instruction, parseContainerfile, type Stage } from './containerfile.ts';
import { enter, makeBase } from './root.ts';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

const run = promisify(execFile);

const NPM_SETTINGS = join(homedir(), '.npmrc');

/** What an image would be, as a folder. */
export interface Image {
  root: string;
  config: ImageConfig;
}

/**
 * Does what the Containerfile says, each stage in a root of its own, which has of the base image what is needed, from this machine.
 *
 * @param folder where the roots are put
 */
export async function buildImage(folder: string): Promise<Image> {
  const stages = parseContainerfile(readFileSync(join(REPOSITORY, 'Containerfile'), 'utf8'));
  const base = join(folder, 'base');
  makeBase(base);
  const roots: Record<string, string> = {};
  let root = base;
  for (const [index, stage] of stages.entries()) {
    root = join(folder, stage.name ?? `stage-${index}`);
    await run('cp', ['--archive', base, root]);
    await buildStage(stage, root, roots);
    if (stage.name !== undefined) roots[stage.name] = root;
  }
  const last = stages.at(-1);
  if (last === undefined) throw new Error('The Containerfile has no stage.');
  return { root, config: imageConfig(last) };
}

async function buildStage(stage: Stage, root: string, stages: Readonly<Record<string, string>>): Promise<void> {
  let workdir = '/';
  for (const instruction of stage.instructions) {
    if (instruction.name === 'WORKDIR') {
      workdir = resolve(workdir, instruction.text);
      mkdirSync(join(root, workdir), { recursive: true });
    } else if (instruction.name === 'COPY') {
      await copy(instruction, join(root, workdir), stages);
    } else if (instruction.name === 'RUN') {
      await runIn(root, workdir, instruction);
    }
  }
}

/** `COPY . .` of the repository, or `COPY --from=<stage> <folder> .` */
async function copy({ flags, text }: Instruction, to: string, stages: Readonly<Record<string, string>>): Promise<void> {
  const [from = '', place] = text.split(' ');
  if (place !== '.' || (flags['from'] === undefined && from !== '.'))
    throw new Error(`COPY ${text} is not understood.`);
  if (flags['from'] !== undefined) {
    await run('cp', ['--archive', `${stages[flags['from']] ?? ''}${from}/.`, to]);
    return;
  }
  const ignored = readFileSync(join(REPOSITORY, '.containerignore'), 'utf8');
  for (const path of contextFiles(ignored, filesOf(REPOSITORY))) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(REPOSITORY, path), join(to, path));
  }
}

async function runIn(root: string, workdir: string, { flags, text }: Instruction): Promise<void> {
  const [, cache] = /type=cache,target=([^,]+)/.exec(flags['mount'] ?? '') ?? [];
  for (const file of networkFiles().filter(existsSync)) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    cpSync(file, join(root, file), { dereference: true });
  }
  const entry = { root, workdir, env: { HOME: '/root', ...networkSettings() }, mounts: caches(cache, root) };
  try {
    await run('unshare', enter(entry, ['/bin/sh', '-c', text]), { maxBuffer: 64 * 1_024 * 1_024 });
  } catch (error) {
    throw new Error(`RUN ${text} failed.`, { cause: error });
  }
}

/** npm's cache of this machine, so that nothing is fetched twice. */
function caches(place: string | undefined, root: string): Record<string, string> {
  if (place === undefined) return {};
  const cache = join(homedir(), '.npm');
  for (const folder of [cache, join(root, place)]) mkdirSync(folder, { recursive: true });
  return { [place]: cache };
}

/** How this machine reaches the registry, beside the files below. */
function networkSettings(): Record<string, string> {
  const wanted = /^(npm_config_registry|NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i;
  const named = Object.entries(process.env).filter(([name]) => wanted.test(name));
  const settings = { NPM_CONFIG_USERCONFIG: NPM_SETTINGS };
  return { ...settings, ...Object.fromEntries(named.map(([name, value = '']) => [name, value])) };
}

function networkFiles(): string[] {
  const { NODE_EXTRA_CA_CERTS: authorities = '' } = process.env;
  return ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', NPM_SETTINGS, authorities];
}
