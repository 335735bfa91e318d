import contract from '../generated/contract.json' with { type: 'json' };
import manifest from '../generated/manifest.json' with { type: 'json' };
import type { CaseResult, Report } from '../engine/result.ts';
import { checkAdmission } from './preflight.ts';
import type { SuiteCase } from '../engine/case.ts';
import type { SuiteOptions } from './options.ts';
import { runCase } from '../engine/run-case.ts';
import { selectedCases } from './selection.ts';
import { Session } from './session.ts';
import { verdict } from '../engine/verdict.ts';

/** Who watches a run. */
export interface Observer {
  /** Called as each result comes, not in the order of the report. */
  onResult?: (result: CaseResult, done: number, total: number) => void;
  /** Ends the run where it is; what is under way then is not waited for. */
  signal?: AbortSignal;
}

/** Cases under way at once. */
const CONCURRENCY = 8;

/**
 * Tries a service, and says what became of each case.
 *
 * @throws CouldNotRun where the service can't be reached or refuses the first account.
 */
export async function runSuite(options: SuiteOptions, observer: Observer = {}): Promise<Report> {
  const started = new Date();
  const session = new Session(options);
  const selected = selectedCases(options);
  const results = new Map<SuiteCase, CaseResult>();
  const tried = async (suiteCase: SuiteCase): Promise<void> => {
    if (observer.signal?.aborted === true) return;
    const result = await runCase(suiteCase, session);
    results.set(suiteCase, result);
    observer.onResult?.(result, results.size, selected.length);
  };

  await checkAdmission(session);
  const inPhases = async (): Promise<void> => {
    for (const phase of ['first', undefined, 'last'] as const) {
      const mine = selected.filter(({ when }) => when === phase);
      await atOnce(mine, phase === 'first' ? 1 : CONCURRENCY, tried);
    }
  };
  await unlessAborted(inPhases(), observer.signal);

  const incomplete = results.size < selected.length;
  const inOrder = selected.flatMap((suiteCase) => results.get(suiteCase) ?? []);
  return {
    tool: { name: 'branchline-conformance', version: contract.info.version },
    contract: { sha256: manifest.sha256 },
    target: { baseUrl: options.baseUrl, workspace: options.workspace, accounts: options.accounts.length },
    startedAt: started.toISOString(),
    milliseconds: Date.now() - started.getTime(),
    requests: session.sender.requests,
    profile: options.profile === true,
    results: inOrder,
    ...(incomplete ? { incomplete } : {}),
    conforms: !incomplete && verdict(inOrder, options.profile === true),
  };
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal?.addEventListener('abort', () => resolve(), { once: true });
  if (signal?.aborted === true) resolve();
  await Promise.race([work, promise]);
}

async function atOnce<T>(items: readonly T[], most: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: most }, worker));
}
