import { type ConformanceCase, Failed, NotObserved, Skipped } from './case.ts';
import type { CaseContext } from './case-context.ts';
import type { Redactor } from './redact/redactor.ts';
import type { CaseResult, Level } from './result.ts';

const LONGEST_SENTENCE = 2_000;

type Ending = Pick<CaseResult, 'state' | 'reason' | 'saw'>;

/** Runs one case; whatever goes wrong is part of the result. */
export async function runCase<Context extends CaseContext>(
  one: ConformanceCase<Context>,
  context: Context,
  redactor: Redactor,
): Promise<CaseResult> {
  const started = performance.now();
  const { state, reason, saw } = await end(one, context);
  const write = (text: string): string => truncate(redactor.clean(text));
  return {
    id: one.id,
    clauses: [...one.clauses],
    level: one.level,
    title: one.title,
    state,
    ...(reason === undefined ? {} : { reason: write(reason) }),
    ...(saw === undefined ? {} : { saw: write(saw) }),
    ...(state === 'fail' ? { problems: [...new Set([...context.problems, ...context.violations])].map(write) } : {}),
    ...(context.warnings.length === 0 ? {} : { warnings: [...new Set(context.warnings)].map(write) }),
    exchanges: context.exchanges,
    milliseconds: Math.round(performance.now() - started),
  };
}

/** What a service sends may be of any length. */
function truncate(text: string): string {
  return text.length > LONGEST_SENTENCE ? `${text.slice(0, LONGEST_SENTENCE)}…` : text;
}

async function end<Context extends CaseContext>(
  { level, run }: ConformanceCase<Context>,
  context: Context,
): Promise<Ending> {
  try {
    const saw = (await run(context)) ?? undefined;
    if (context.violations.length > 0) return { state: 'fail' };
    if (level === 'observed') return observe(saw);
    return { state: context.problems.length === 0 ? 'pass' : 'fail' };
  } catch (error) {
    if (context.violations.length > 0) return { state: 'fail' };
    if (error instanceof Skipped || error instanceof NotObserved) return skip(level, error.message);
    if (!(error instanceof Failed)) return { state: 'error', reason: explain(error) };
    return level === 'observed' ? observe(context.problems.join(' ')) : { state: 'fail' };
  }
}

function observe(saw: string | undefined): Ending {
  return saw === undefined ? { state: 'not-observed', reason: 'Nothing could be seen.' } : { state: 'pass', saw };
}

function skip(level: Level, reason: string): Ending {
  return { state: level === 'observed' ? 'not-observed' : 'skip', reason };
}

function explain(error: unknown): string {
  return error instanceof Error && error.name === 'Error' ? error.message : String(error);
}
