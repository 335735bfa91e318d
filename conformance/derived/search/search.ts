import * as fc from 'fast-check';
import type { Case, Operation } from '@branchline/contract';
import { type ConformanceCase, Failed } from '../../engine/case.ts';
import { CaseContext } from '../../engine/case-context.ts';
import { judge } from '../judge.ts';
import { sendCase } from '../send-case.ts';
import type { ContractSession } from '../session.ts';
import { createRequestValidators, type EdgeRequest, planRandomRequests, type SearchedRequests } from './requests.ts';

/** How often a failing request is made smaller. */
const MOST_SHRINKS = 80;
/** Random values that are no request of the kind, for each that is. */
const MOST_DISCARDED = 60;
/** So often it is tried to send any. */
const MOST_FAULTS = 5;

/**
 * For each operation that takes something, a search for valid requests that are not answered as documented, and one for invalid
 * requests that are accepted.
 *
 * @param maxExamples - requests of each search, as long as nothing is found.
 */
export function makeSearches(session: ContractSession, maxExamples: number): ConformanceCase[] {
  const validators = createRequestValidators(session);
  return session.operations.flatMap((operation) => {
    const ordinary = session.ordinaryCase(operation.id);
    const requests = ordinary === undefined ? undefined : planRandomRequests(session, validators, operation, ordinary);
    if (requests === undefined) return [];
    const run = (kind: 'valid' | 'invalid') => (context: CaseContext) =>
      search(session, context, `${operation.id} ${kind}`, requests[kind], maxExamples);
    return [
      toSearch(operation, 'valid', 'Answers random valid requests as documented.', run('valid')),
      toSearch(operation, 'invalid', 'Accepts none of random invalid requests.', run('invalid')),
    ];
  });
}

function toSearch(
  { id }: Operation,
  kind: 'valid' | 'invalid',
  title: string,
  run: ConformanceCase['run'],
): ConformanceCase {
  return { id: `${id}/search/${kind}`, clauses: [], level: 'required', title, run };
}

/** What one request came to. */
interface Tried {
  readonly context: CaseContext;
  /** What kept it from being sent. */
  readonly fault?: Error;
}

async function search(
  session: ContractSession,
  context: CaseContext,
  purpose: string,
  { edges, random }: SearchedRequests,
  maxExamples: number,
): Promise<void> {
  let failed: CaseContext | undefined;
  let isRandom = true;
  let last: CaseContext | undefined;
  const faults: Error[] = [];
  const property = fc.asyncProperty(fc.limitShrink(random, MOST_SHRINKS), async (one) => {
    fc.pre(one !== undefined && faults.length < MOST_FAULTS);
    const tried = await tryRequest(session, one);
    if (tried.fault !== undefined) {
      faults.push(tried.fault);
      fc.pre(false);
    }
    last = tried.context;
    if (tried.context.problems.length === 0) return true;
    failed = tried.context;
    return false;
  });
  await fc.check(property, {
    seed: Number.parseInt(session.chance.text(purpose, 6), 36) % 2 ** 31,
    numRuns: maxExamples,
    maxSkipsPerRun: MOST_DISCARDED,
  });
  if (failed === undefined) {
    isRandom = false;
    failed = await tryEdges(session, edges);
  }
  const shown = failed ?? last;
  if (shown === undefined) {
    if (faults[0] !== undefined) throw faults[0];
    if (edges.length > 0) return;
    return context.skip('No such request could be made of the contract.');
  }
  context.exchanges.push(...shown.exchanges.slice(-1));
  context.warnings.push(...shown.warnings);
  if (failed === undefined) return;
  const how = isRandom ? [`Found at random; --seed ${session.chance.seed} finds it again.`] : [];
  context.demand([...failed.problems, ...how]);
}

/** What the first one that fails came to: that with one such value alone, where it shows there too. */
async function tryEdges(session: ContractSession, edges: readonly EdgeRequest[]): Promise<CaseContext | undefined> {
  const hasFailed = ({ context, fault }: Tried): boolean => fault === undefined && context.problems.length > 0;
  for (const { everywhere, one } of edges) {
    const whole = await tryRequest(session, everywhere);
    if (!hasFailed(whole)) continue;
    for (const single of one) {
      const smaller = await tryRequest(session, single);
      if (hasFailed(smaller)) return smaller.context;
    }
    return whole.context;
  }
  return undefined;
}

async function tryRequest(session: ContractSession, one: Case): Promise<Tried> {
  const context = new CaseContext(session.sender);
  try {
    const { answer, isKnown } = await sendCase(session, context, one);
    const { problems, warnings } = judge(one, answer, session.examine, {
      isKnown,
      isRandom: one.mistake === undefined,
    });
    context.problems.push(...problems);
    context.warnings.push(...warnings);
    return { context };
  } catch (error) {
    if (error instanceof Failed) return { context };
    return { context, fault: error instanceof Error ? error : new Error(String(error)) };
  }
}
