import type { LoadPlan } from './load/plan.ts';
import { type Measured, measureLoad } from './load/run.ts';
import type { MeasureOptions } from './measure.ts';
import { median } from './statistics.ts';
import { startBranchline } from './subjects/branchline.ts';
import { type BenchDatabase, makeDatabase } from './subjects/database.ts';
import { type RunningSubject, startProgram } from './subjects/subject.ts';

/** Servers over the same tables, each in a process of its own on a database of its own. */
const SUBJECTS = {
  Branchline: (database: BenchDatabase) => startBranchline(database, database),
  'bare Fastify': ({ file, folder }: BenchDatabase) => startProgram('bench/subjects/fastify.ts', [file], folder),
  'Express + express-openapi-validator': ({ file, folder }: BenchDatabase) =>
    startProgram('bench/subjects/express.ts', [file], folder),
};

export type SubjectName = keyof typeof SUBJECTS;

/** The medians of a subject's rounds. */
export interface Score extends Pick<
  Measured,
  'perSecond' | 'p50' | 'p99' | 'cpuMicroseconds' | 'mainThreadMicroseconds'
> {
  /** Requests a second in each round. */
  perSecondEach: readonly number[];
}

const WARM_UP_SECONDS = 2;

interface Contestant {
  name: SubjectName;
  database: BenchDatabase;
  subject: RunningSubject;
  rounds: Measured[];
}

/** Has the subjects do the same work in turns, so that whatever else the machine does meets them alike. */
export async function contest(
  planFor: (database: BenchDatabase) => Omit<LoadPlan, 'origin' | 'seconds'>,
  { rounds, seconds }: MeasureOptions,
): Promise<Record<SubjectName, Score>> {
  const contestants = await Promise.all(Object.keys(SUBJECTS).map((name) => enter(name as SubjectName)));
  for (const { subject, database } of contestants) {
    await measureLoad(subject, { ...planFor(database), seconds: WARM_UP_SECONDS });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const one of contestants) {
      one.rounds.push(await measureLoad(one.subject, { ...planFor(one.database), seconds }));
    }
  }
  for (const { subject, database } of contestants) {
    await subject.stop();
    database.remove();
  }
  return Object.fromEntries(contestants.map((one) => [one.name, scoreOf(one.rounds)])) as Record<SubjectName, Score>;
}

async function enter(name: SubjectName): Promise<Contestant> {
  const database = await makeDatabase();
  return { name, database, subject: await SUBJECTS[name](database), rounds: [] };
}

export function scoreOf(rounds: readonly Measured[]): Score {
  const of = (figure: Exclude<keyof Score, 'perSecondEach'>): number => median(rounds.map((round) => round[figure]));
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    cpuMicroseconds: of('cpuMicroseconds'),
    mainThreadMicroseconds: of('mainThreadMicroseconds'),
    perSecondEach: rounds.map(({ perSecond }) => perSecond),
  };
}
