import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import contract from '../generated/contract.json' with { type: 'json' };
import manifest from '../generated/manifest.json' with { type: 'json' };
import { CouldNotRun } from '../could-not-run.ts';
import type { CaseResult, Report } from '../engine/result.ts';
import { verdict as conforms } from '../engine/verdict.ts';
import { TAKEN } from './sink/answer.ts';
import { DriverFailed, type Reply, type StartDriver, type TypedJson } from './sink/driver.ts';
import { schemaText } from './sink/schema-text.ts';
import { PhaseSkipped, Stage } from './sink/phase-run.ts';
import { REAL_CLOCK } from './sink/clock.ts';
import { type Verdict, failed, PASSED, skipped } from './sink/outcome.ts';

/** What schema has to come out of which properties. */
export interface Vector {
  readonly id: string;
  readonly title: string;
  readonly input: TypedJson;
  readonly expected: readonly unknown[];
}

export interface VectorsOptions {
  readonly startDriver: StartDriver;
  /** What the report calls the library. */
  readonly target: string;
  /** Defaults to the vectors of this project. */
  readonly folder?: string | undefined;
  readonly only?: string | undefined;
  readonly onResult?: (result: CaseResult, done: number, total: number) => void;
}

/** Whoever asks for the vectors asks for the decisions behind them. */
const CLAUSE = 'INSPECTOR-PROFILE-EXTRACTION-1';
const FOLDER = fileURLToPath(new URL('vectors/', import.meta.url));
const MAX_SHOWN = 400;

/**
 * Gives a library each vector's properties, and compares the schemas that it makes of them.
 *
 * @throws CouldNotRun where there are no vectors, or where the driver can't start the library.
 */
export async function runVectors(options: VectorsOptions): Promise<Report> {
  const { startDriver } = options;
  const startedAt = new Date();
  const vectors = vectorsIn(options.folder).filter(({ id }) => id.includes(options.only ?? ''));
  if (vectors.length === 0) throw new CouldNotRun(`No vector has "${options.only}" in its id.`);
  const results: CaseResult[] = [];
  const stage = new Stage('vectors', 'prod', { startDriver, clock: REAL_CLOCK, apiKey: 'unused' });
  try {
    await stage.open(() => TAKEN);
    await started(stage);
    for (const vector of vectors) {
      const result = await resultOf(vector, stage);
      results.push(result);
      options.onResult?.(result, results.length, vectors.length);
    }
  } finally {
    await stage.close();
  }
  return {
    tool: { name: 'branchline-conformance', version: contract.info.version },
    contract: { sha256: manifest.sha256 },
    target: { baseUrl: options.target, workspace: 'a client library', accounts: 0 },
    startedAt: startedAt.toISOString(),
    milliseconds: Date.now() - startedAt.getTime(),
    requests: 0,
    profile: true,
    results,
    conforms: conforms(results, true),
  };
}

/** @throws CouldNotRun where the folder has none. */
export function vectorsIn(folder = FOLDER): Vector[] {
  const files = namesIn(folder).filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'));
  const vectors = files.toSorted().flatMap((name) => casesOf(join(folder, name)));
  if (vectors.length === 0) throw new CouldNotRun(`There are no vectors in ${folder}; --vectors names another folder.`);
  return vectors;
}

/** The cases that the vectors of a folder make. */
export function vectorCases(folder: string | undefined): { id: string; clauses: string[] }[] {
  return vectorsIn(folder).map(caseOf);
}

function caseOf({ id }: Vector): { id: string; clauses: string[] } {
  return { id: `vectors/${id}`, clauses: [CLAUSE] };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function casesOf(path: string): Vector[] {
  try {
    const file: { cases: Vector[] } = JSON.parse(readFileSync(path, 'utf8'));
    return file.cases;
  } catch {
    throw new CouldNotRun(`${path} is no file of vectors.`);
  }
}

async function started(stage: Stage): Promise<void> {
  try {
    await stage.start();
  } catch (error) {
    if (error instanceof PhaseSkipped || error instanceof DriverFailed) throw new CouldNotRun(error.message);
    throw error;
  }
}

async function resultOf(vector: Vector, stage: Stage): Promise<CaseResult> {
  const begun = performance.now();
  const { state, problems, reason } = await tried(vector, stage);
  return {
    ...caseOf(vector),
    level: 'profile',
    title: vector.title,
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(problems === undefined ? {} : { problems: [...problems] }),
    exchanges: [],
    milliseconds: Math.round(performance.now() - begun),
  };
}

async function tried(vector: Vector, stage: Stage): Promise<Verdict> {
  try {
    return compared(vector, await stage.extract(vector.id, vector.input));
  } catch (error) {
    if (!(error instanceof DriverFailed)) throw error;
    // One vector that ends the process must not cost the others.
    await stage.kill();
    await started(stage);
    return failed(error.message);
  }
}

function compared({ input, expected }: Vector, reply: Reply): Verdict {
  const shown = JSON.stringify(input).slice(0, MAX_SHOWN);
  if (!reply.ok && 'unsupported' in reply) return skipped(`The driver can not do it: ${reply.unsupported}`);
  if (!reply.ok) return failed(`The library failed on ${shown}: ${reply.error}`);
  // The fields of an object come in any order, the entries of a map in theirs.
  const hasOrder = !JSON.stringify(input).includes('"object"');
  const [came, wanted] = [schemaText(reply.schema, hasOrder), schemaText(expected, hasOrder)];
  if (came === wanted) return PASSED;
  return failed(`For ${shown} came (${came.slice(0, MAX_SHOWN)}), not (${wanted.slice(0, MAX_SHOWN)}).`);
}
