import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CouldNotRun } from '../could-not-run.ts';
import { LARGE, readGivenFile } from '../given-file.ts';
import { buildReport } from '../engine/build-report.ts';
import type { CaseResult, Report } from '../engine/result.ts';
import { type Selection, isSelected } from '../engine/selection.ts';
import { TAKEN } from './sink/answer.ts';
import { DriverFailed, type Reply, type StartDriver, type TypedJson } from './sink/driver.ts';
import { formatSchema } from './sink/schema-text.ts';
import { PhaseSkipped, PhaseRun } from './sink/phase-run.ts';
import { type Clock, REAL_CLOCK } from './sink/clock.ts';
import { type CaseOutcome, fail, PASSED, skip } from './sink/outcome.ts';

/** Properties, and the schema that has to be extracted from them. */
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
  /** Which vectors are tried. Left out: all of them. */
  readonly selection?: Selection | undefined;
  readonly onResult?: (result: CaseResult, done: number, total: number) => void;
}

/** Whoever asks for the vectors asks for the decisions behind them. */
const CLAUSE = 'INSPECTOR-PROFILE-EXTRACTION-1';
const FOLDER = fileURLToPath(new URL('vectors/', import.meta.url));
/** Whoever fails a vector sees it whole; what a library makes of it may be anything. */
const MAX_SHOWN = 20_000;

/**
 * Gives a library each vector's properties, and compares the schemas that it makes of them.
 *
 * @throws CouldNotRun where there are no vectors, or where the driver can't start the library.
 */
export async function runVectors(options: VectorsOptions): Promise<Report> {
  const { selection } = options;
  const startedAt = new Date();
  const vectors = readVectors(options.folder).filter((vector) => isSelected(toVectorCase(vector), selection ?? {}));
  if (vectors.length === 0) throw new CouldNotRun('The options leave no vector to try.');
  const results: CaseResult[] = [];
  for await (const result of tryVectors(vectors, { ...options, clock: REAL_CLOCK })) {
    results.push(result);
    options.onResult?.(result, results.length, vectors.length);
  }
  return buildReport({
    target: { baseUrl: options.target, workspace: 'a client library', accounts: 0 },
    startedAt,
    requests: 0,
    profile: true,
    selected: vectors.map(toVectorCase),
    selection,
    results,
  });
}

/**
 * Tries one vector after the other, with an app of its own.
 *
 * @throws CouldNotRun where the driver can't start the library.
 */
export async function* tryVectors(
  vectors: readonly Vector[],
  { startDriver, clock }: { readonly startDriver: StartDriver; readonly clock: Clock },
): AsyncGenerator<CaseResult> {
  const phaseRun = new PhaseRun('vectors', 'prod', { startDriver, clock, apiKey: 'unused' });
  try {
    await phaseRun.open(() => TAKEN);
    await start(phaseRun);
    for (const vector of vectors) yield await runVector(vector, phaseRun);
  } finally {
    await phaseRun.close();
  }
}

/** @throws CouldNotRun where the folder has none. */
export function readVectors(folder = FOLDER): Vector[] {
  const files = listFiles(folder).filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'));
  const vectors = files.toSorted().flatMap((name) => readCases(join(folder, name)));
  if (vectors.length === 0) throw new CouldNotRun(`There are no vectors in ${folder}; --vectors names another folder.`);
  return vectors;
}

/** The cases that the vectors of a folder make; left out, those of this project. */
export function listVectorCases(folder?: string): VectorCase[] {
  return readVectors(folder).map(toVectorCase);
}

/** What a report says of a vector. */
export interface VectorCase {
  readonly id: string;
  /** The vector's own id. */
  readonly alias: string;
  readonly clauses: [string];
  readonly level: 'profile';
  readonly title: string;
}

export function toVectorCase({ id, title }: Vector): VectorCase {
  return { id: `vectors/${id}`, alias: id, clauses: [CLAUSE], level: 'profile', title };
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readCases(path: string): Vector[] {
  try {
    const file: { cases: Vector[] } = JSON.parse(readGivenFile(path, '--vectors', LARGE));
    return file.cases;
  } catch {
    throw new CouldNotRun(`${path} is no file of vectors.`);
  }
}

async function start(phaseRun: PhaseRun): Promise<void> {
  try {
    await phaseRun.start();
  } catch (error) {
    if (error instanceof PhaseSkipped || error instanceof DriverFailed) throw new CouldNotRun(error.message);
    throw error;
  }
}

async function runVector(vector: Vector, phaseRun: PhaseRun): Promise<CaseResult> {
  const begun = performance.now();
  const { id, clauses, level, title } = toVectorCase(vector);
  const { state, problems, reason } = await tryVector(vector, phaseRun);
  return {
    id,
    clauses,
    level,
    title,
    state,
    ...(reason === undefined ? {} : { reason }),
    ...(problems === undefined ? {} : { problems: [...problems] }),
    exchanges: [],
    milliseconds: Math.round(performance.now() - begun),
  };
}

async function tryVector(vector: Vector, phaseRun: PhaseRun): Promise<CaseOutcome> {
  try {
    return compare(vector, await phaseRun.extract(vector.id, vector.input));
  } catch (error) {
    if (!(error instanceof DriverFailed)) throw error;
    // One vector that ends the process must not cost the others.
    await phaseRun.kill();
    await start(phaseRun);
    return fail(error.message);
  }
}

function compare({ input, expected }: Vector, reply: Reply): CaseOutcome {
  const shown = truncate(JSON.stringify(input));
  if (!reply.ok && 'unsupported' in reply) return skip(`The driver can not do it: ${reply.unsupported}`);
  if (!reply.ok) return fail(`The library failed on ${shown}: ${reply.error}`);
  // The fields of an object come in any order, the entries of a map in theirs.
  const hasOrder = !JSON.stringify(input).includes('"object"');
  const [came, wanted] = [formatSchema(reply.schema, hasOrder), formatSchema(expected, hasOrder)];
  if (came === wanted) return PASSED;
  return fail(`For ${shown} came (${truncate(came)}), not (${truncate(wanted)}).`);
}

function truncate(text: string): string {
  const left = text.length - MAX_SHOWN;
  return left > 0 ? `${text.slice(0, MAX_SHOWN)}… (${left} more characters)` : text;
}
