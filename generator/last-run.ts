import { resolve } from 'node:path';
import { readRegularFileBytes } from '@branchline/command-line';
import type { Contract } from '@branchline/contract';
import { readCached, writeCached } from './cache.ts';
import { type HashedFile, isUpToDate } from './output.ts';
import { isSameProgram, PROGRAM_FOLDER, type Program } from './program.ts';
import { sha256 } from './sha256.ts';
import type { GeneratedFile } from './target.ts';

/** What a run was asked for. */
export interface Request {
  spec: string;
  out: string;
  /** Everything else that it depends on. */
  more: unknown;
}

/** What a run was made of and has made, so that the next one need not do it again where nothing has changed. */
export interface LastRun {
  program: Program;
  /** The SHA-256 of each file of the contract, by path. */
  inputs: readonly (readonly [path: string, sha256: string])[];
  files: readonly HashedFile[];
  warnings: readonly string[];
}

/** The last run for the same request, where a new one would find nothing else, and nothing to do. */
export async function findLastRun(request: Request): Promise<LastRun | undefined> {
  const run = (await readCached(keyOf(request))) as LastRun | undefined;
  try {
    if (run === undefined || !isSameProgram(run.program)) return undefined;
    for (const [path, hash] of run.inputs) if (sha256(await readRegularFileBytes(path)) !== hash) return undefined;
    return (await isUpToDate(request.out, run.files)) ? run : undefined;
  } catch {
    // A contract that is gone, for one: the run that follows says so.
    return undefined;
  }
}

export async function keepRun(
  request: Request,
  program: Program,
  contract: Contract,
  made: readonly GeneratedFile[],
  warnings: readonly string[],
): Promise<void> {
  const files = made.map(({ path, kind, text }): HashedFile => ({ path, kind, sha256: sha256(text) }));
  const run: LastRun = { program, inputs: [...contract.files], files, warnings };
  await writeCached(keyOf(request), run);
}

/** Paths are kept as they were given, and warnings name them so; so the working directory tells, too. */
function keyOf({ spec, out, more }: Request): string {
  return sha256(JSON.stringify([PROGRAM_FOLDER, process.version, process.cwd(), spec, resolve(out), more]));
}
