import contract from '../../generated/contract.json' with { type: 'json' };
import manifest from '../../generated/manifest.json' with { type: 'json' };
import { clausesById } from '../../clauses.ts';
import type { CaseResult, Level, Report } from '../../engine/result.ts';
import { Secrets } from '../../engine/redact/secrets.ts';
import { verdict as conforms } from '../../engine/verdict.ts';
import type { LibraryCase } from './cases/case.ts';
import { exchangesOf, shortened } from './exchanges.ts';
import type { Recording } from './recording.ts';
import type { Verdict } from './outcome.ts';

/** What a whole run comes to. */
export interface Judged {
  /** The driver's command, or what is said of an app that is driven by hand. */
  readonly target: string;
  readonly startedAt: Date;
  readonly profile: boolean;
  readonly recordings: readonly Recording[];
  /** What must not stand in the report. */
  readonly keys: readonly string[];
  /** The run was interrupted. */
  readonly isIncomplete?: boolean;
}

export function reportOf(selected: readonly LibraryCase[], run: Judged): Report {
  const secrets = new Secrets(run.keys);
  const { isIncomplete = false } = run;
  const tried = selected.filter(({ phase }) => phase === undefined || !isIncomplete || has(run, phase));
  const all = tried.map((one) => ({ ...one, result: resultOf(one, run, secrets) }));
  // What is to be seen in all requests has not been seen in a part of them, unless it is a failure.
  const results = all
    .filter(({ phase, result }) => !isIncomplete || phase !== undefined || result.state === 'fail')
    .map(({ result }) => result);
  return {
    tool: { name: 'branchline-conformance', version: contract.info.version },
    contract: { sha256: manifest.sha256 },
    target: { baseUrl: run.target, workspace: 'a client library', accounts: 0 },
    startedAt: run.startedAt.toISOString(),
    milliseconds: Date.now() - run.startedAt.getTime(),
    requests: run.recordings.reduce((sum, { arrivals }) => sum + arrivals.length, 0),
    profile: run.profile,
    results,
    ...(isIncomplete ? { incomplete: true } : {}),
    conforms: !isIncomplete && conforms(results, run.profile),
  };
}

function has({ recordings }: Judged, phase: string): boolean {
  return recordings.some((recording) => recording.phase === phase);
}

/** All clauses of a case have one level. */
export function levelOf({ clauses: [id] }: LibraryCase): Level {
  const clause = clausesById.get(id);
  if (clause === undefined) throw new Error(`There is no clause ${id}.`);
  return clause.level;
}

function resultOf(libraryCase: LibraryCase, { recordings }: Judged, secrets: Secrets): CaseResult {
  const { id, clauses, title, phase } = libraryCase;
  const mine = recordings.filter((recording) => phase === undefined || recording.phase === phase);
  const level = levelOf(libraryCase);
  const verdict = libraryCase.judge(mine);
  return {
    id,
    clauses: [...clauses],
    level,
    title,
    ...ending(level, withoutSecrets(verdict, secrets)),
    exchanges: exchangesOf(verdict.arrivals ?? [], secrets),
    milliseconds: phase === undefined ? 0 : Math.round(mine[0]?.milliseconds ?? 0),
  };
}

const MAX_SENTENCE = 1_000;

/** A sentence may cite what was sent, whatever that was. */
function withoutSecrets({ state, reason, problems, saw }: Verdict, secrets: Secrets): Verdict {
  const clean = (text: string): string => shortened(text, MAX_SENTENCE, secrets);
  return {
    state,
    ...(reason === undefined ? {} : { reason: clean(reason) }),
    ...(problems === undefined ? {} : { problems: problems.map(clean) }),
    ...(saw === undefined ? {} : { saw: clean(saw) }),
  };
}

function ending(
  level: Level,
  { state, reason, problems, saw }: Verdict,
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
