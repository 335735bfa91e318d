import { clausesById } from '../../clauses.ts';
import type { CaseResult, Level, Report } from '../../engine/result.ts';
import { buildReport } from '../../engine/build-report.ts';
import { Redactor } from '../../engine/redact/redactor.ts';
import type { Selection } from '../../engine/selection.ts';
import type { VectorCase } from '../vector-run.ts';
import type { LibraryCase } from './cases/case.ts';
import { toExchanges } from './exchanges.ts';
import type { Recording } from './recording.ts';
import type { CaseOutcome } from './outcome.ts';

/** What a run has recorded. */
export interface SinkRun {
  /** The driver's command, or what is said of an app that is driven by hand. */
  readonly target: string;
  readonly startedAt: Date;
  readonly profile: boolean;
  /** What chose the cases. Left out: all are judged. */
  readonly selection?: Selection | undefined;
  readonly recordings: readonly Recording[];
  /** What came of the vectors that were tried beside them. */
  readonly vectors?: { readonly selected: readonly VectorCase[]; readonly results: readonly CaseResult[] };
  /** What must not stand in the report. */
  readonly keys: readonly string[];
  /** The run was interrupted. */
  readonly isIncomplete?: boolean;
}

export function toReport(selected: readonly LibraryCase[], run: SinkRun): Report {
  const redactor = new Redactor({ secrets: run.keys });
  const { isIncomplete = false, vectors = { selected: [], results: [] } } = run;
  const tried = selected.filter(({ phase }) => phase === undefined || !isIncomplete || hasPhase(run, phase));
  const all = tried.map((one) => ({ ...one, result: toResult(one, run, redactor) }));
  // A case about all requests says nothing about a part of them, unless it fails.
  const results = all
    .filter(({ phase, result }) => !isIncomplete || phase !== undefined || result.state === 'fail')
    .map(({ result }) => result);
  return buildReport({
    target: { baseUrl: run.target, workspace: 'a client library', accounts: 0 },
    startedAt: run.startedAt,
    requests: run.recordings.reduce((sum, { requests }) => sum + requests.length, 0),
    profile: run.profile,
    selected: [...selected.map((one) => ({ ...one, level: findLevel(one) })), ...vectors.selected],
    selection: run.selection,
    results: [...results, ...vectors.results],
    isIncomplete,
  });
}

function hasPhase({ recordings }: SinkRun, phase: string): boolean {
  return recordings.some((recording) => recording.phase === phase);
}

/** All clauses of a case have one level. */
export function findLevel({ clauses: [id] }: LibraryCase): Level {
  const clause = clausesById.get(id);
  if (clause === undefined) throw new Error(`There is no clause ${id}.`);
  return clause.level;
}

function toResult(libraryCase: LibraryCase, { recordings }: SinkRun, redactor: Redactor): CaseResult {
  const { id, clauses, title, phase } = libraryCase;
  const mine = recordings.filter((recording) => phase === undefined || recording.phase === phase);
  const level = findLevel(libraryCase);
  const outcome = libraryCase.judge(mine);
  return {
    id,
    clauses: [...clauses],
    level,
    title,
    ...end(level, redact(outcome, redactor)),
    exchanges: toExchanges(outcome.requests ?? [], redactor),
    milliseconds: phase === undefined ? 0 : Math.round(mine[0]?.milliseconds ?? 0),
  };
}

const MAX_SENTENCE = 1_000;

/** A sentence may cite what was sent, whatever that was. */
function redact({ state, reason, problems, saw }: CaseOutcome, redactor: Redactor): CaseOutcome {
  const clean = (text: string): string => redactor.truncate(text, MAX_SENTENCE).body;
  return {
    state,
    ...(reason === undefined ? {} : { reason: clean(reason) }),
    ...(problems === undefined ? {} : { problems: problems.map(clean) }),
    ...(saw === undefined ? {} : { saw: clean(saw) }),
  };
}

function end(
  level: Level,
  { state, reason, problems, saw }: CaseOutcome,
): Pick<CaseResult, 'state' | 'reason' | 'problems' | 'saw'> {
  if (level !== 'observed') {
    return {
      state,
      ...(reason === undefined ? {} : { reason }),
      ...(problems === undefined ? {} : { problems: [...problems] }),
    };
  }
  const seen = saw ?? problems?.join(' ');
  return seen === undefined
    ? { state: 'not-observed', reason: reason ?? 'Nothing could be seen.' }
    : { state: 'pass', saw: seen };
}
