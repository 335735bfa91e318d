import type { CaseResult, CaseState } from './result.ts';
import { Failed, NotObserved, type Need, Skipped, type SuiteCase } from './case.ts';
import type { SuiteOptions } from '../service/options.ts';
import type { Session } from '../service/session.ts';
import { Trial } from '../service/context.ts';

const LONGEST_SENTENCE = 2_000;

type Ending = Pick<CaseResult, 'state' | 'reason' | 'saw'>;

/** Runs one case; whatever goes wrong is part of the result. */
export async function runCase(suiteCase: SuiteCase, session: Session): Promise<CaseResult> {
  const trial = new Trial(session);
  const started = performance.now();
  const { state, reason, saw } = await ending(suiteCase, trial);
  const said = (text: string): string => shortened(session.secrets.clean(text));
  return {
    id: suiteCase.id,
    clauses: [...suiteCase.clauses],
    level: suiteCase.level,
    title: suiteCase.title,
    state,
    ...(reason === undefined ? {} : { reason: said(reason) }),
    ...(saw === undefined ? {} : { saw: said(saw) }),
    ...(state === 'fail' ? { problems: [...new Set(trial.problems)].map(said) } : {}),
    exchanges: trial.exchanges,
    milliseconds: Math.round(performance.now() - started),
  };
}

/** What a service sends may be of any length. */
function shortened(text: string): string {
  return text.length > LONGEST_SENTENCE ? `${text.slice(0, LONGEST_SENTENCE)}…` : text;
}

async function ending({ needs = [], level, run }: SuiteCase, trial: Trial): Promise<Ending> {
  const missing = needs.find((need) => !has(trial.session.options, need));
  if (missing !== undefined) return unrun(level, REASONS[missing]);
  try {
    const saw = (await run(trial)) ?? undefined;
    if (level === 'observed') return observed(saw);
    return { state: trial.problems.length === 0 ? 'pass' : 'fail' };
  } catch (error) {
    if (error instanceof Skipped || error instanceof NotObserved) return unrun(level, error.message);
    if (!(error instanceof Failed)) return { state: 'error', reason: String(error) };
    return level === 'observed' ? observed(trial.problems.join(' ')) : { state: 'fail' };
  }
}

function observed(saw: string | undefined): Ending {
  return saw === undefined ? { state: 'not-observed', reason: 'Nothing could be seen.' } : { state: 'pass', saw };
}

function unrun(level: SuiteCase['level'], reason: string): Ending {
  const state: CaseState = level === 'observed' ? 'not-observed' : 'skip';
  return { state, reason };
}

const REASONS: Record<Need, string> = {
  'second account': 'Needs a second account of the workspace: give --account twice.',
  'second workspace': 'Needs a second workspace with an account: --second-workspace and --second-workspace-account.',
  seeding: 'Needs branches in other statuses: --seed-command.',
  'api key': 'Needs an API key of the Inspector: --api-key.',
  profile: 'Tried only with --profile branchline.',
};

function has(options: SuiteOptions, need: Need): boolean {
  switch (need) {
    case 'second account':
      return options.accounts.length > 1;
    case 'second workspace':
      return options.secondWorkspace !== undefined;
    case 'seeding':
      return options.seed !== undefined || options.profile === true;
    case 'api key':
      return options.apiKey !== undefined;
    case 'profile':
      return options.profile === true;
  }
}
