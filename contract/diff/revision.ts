import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { promisify } from 'node:util';
import { isWebAddress, UserError } from '@branchline/command-line';
import type { Contract } from '../contract.ts';
import { loadContract } from '../load.ts';
import { printProblems, SpecError } from '../spec-error.ts';

const run = promisify(execFile);

/** A file as git has it in a revision. */
interface RevisedFile {
  revision: string;
  path: string;
}

/** A contract that was named on the command line, and what it is called in reports. */
export interface NamedContract {
  name: string;
  contract: Contract;
  /** What is wrong in it and hurts nobody, one a line. */
  warnings: readonly string[];
}

/**
 * Loads a contract from a file, from standard input (`-`), or from a revision of git: `main:openapi.yaml`, as `git show` names it. What
 * it refers to comes from the same revision.
 *
 * @throws SpecError where it can't be used, UserError where git has no such file
 */
export async function loadNamed(name: string): Promise<NamedContract> {
  // Which may hold a password, and would be taken for a revision of the name https.
  if (isWebAddress(name))
    throw new UserError('A URL is not read: pipe what it has, as in curl … | branchline diff - new.yaml');
  const revised = existsSync(name) ? undefined : parseName(name);
  if (revised === undefined) {
    if (name !== '-' && !existsSync(name)) throw new UserError(`There is no file ${name}.`);
    const contract = await loadContract(name);
    const told = name === '-' ? contract.source : name;
    return { name: told, contract, warnings: printProblems(told, contract.warnings) };
  }
  const path = await findPath(revised);
  const { revision } = revised;
  const rename = (file: string): string => `${revision}:${file}`;
  await show(revision, path);
  try {
    const contract = await loadContract(path, { read: (file) => show(revision, file) });
    const { warnings } = contract;
    return {
      name: rename(path),
      contract: { ...contract, locate: (pointer) => renameFile(contract.locate(pointer), rename) },
      warnings: printProblems(
        rename(path),
        warnings.map((one) => ({ ...one, position: renameFile(one.position, rename) })),
      ),
    };
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    const problems = error.problems.map((one) => ({ ...one, position: renameFile(one.position, rename) }));
    throw new SpecError(rename(path), problems);
  }
}

function renameFile<Place extends { file?: string }>(position: Place, rename: (file: string) => string): Place {
  return position.file === undefined ? position : { ...position, file: rename(position.file) };
}

/** One letter before a colon is a drive of Windows. */
function parseName(name: string): RevisedFile | undefined {
  const [, revision, path] = /^([^:]{2,}):([^:].*)$/.exec(name) ?? [];
  return revision === undefined || path === undefined ? undefined : { revision, path };
}

/** The path from the top of the repository; git takes one with ./ or ../ for one from here. */
async function findPath({ path }: RevisedFile): Promise<string> {
  if (!/^\.{1,2}\//.test(path)) return posix.normalize(path);
  const prefix = await git(['rev-parse', '--show-prefix'], path);
  return posix.join(prefix.toString('utf8').trim(), path);
}

function show(revision: string, path: string): Promise<Buffer> {
  return git(['show', '--no-textconv', '--end-of-options', `${revision}:${path}`], `${revision}:${path}`);
}

async function git(args: readonly string[], name: string): Promise<Buffer> {
  try {
    const { stdout } = await run('git', [...args], { encoding: 'buffer', maxBuffer: 1 << 28 });
    return stdout;
  } catch (error) {
    throw new UserError(`${name} can't be read from git: ${explain(error)}`);
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT') return 'there is no program git here; install it, or name a file.';
  const said =
    'stderr' in error && error.stderr instanceof Uint8Array ? Buffer.from(error.stderr).toString('utf8') : '';
  const line = said.split('\n').find((one) => one.startsWith('fatal:')) ?? '';
  if (line.includes('not a git repository')) return 'this folder is in no repository of git.';
  if (/invalid object name|unknown revision|bad revision/.test(line)) {
    return 'there is no such revision; fetch it first, or name another.';
  }
  if (/does not exist in|exists on disk, but not in/.test(line)) return 'the revision has no such file.';
  return line === '' ? error.message : `${line.replace('fatal: ', '')}.`;
}
