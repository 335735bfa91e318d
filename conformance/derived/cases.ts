import type { Case } from '@branchline/contract';
import type { ConformanceCase } from '../engine/case.ts';
import type { CaseContext } from '../engine/case-context.ts';
import { judge } from './judge.ts';
import { sendCase } from './send-case.ts';
import type { ContractSession } from './session.ts';

/** The cases that were derived from a contract, as the engine runs them. Their ids are those of the case file. */
export function toConformanceCases(session: ContractSession): ConformanceCase[] {
  return session.file.cases.map((one) => ({
    id: one.id,
    clauses: [],
    level: 'required',
    title: one.title,
    run: (context) => runDerivedCase(session, context, one),
  }));
}

/** Operations of which no request could be made, so that a report says of each why it is untried. */
export function listUnmade(session: ContractSession): ConformanceCase[] {
  const { operations, file } = session;
  return operations.flatMap(({ id, method, path }) => {
    if (session.ordinaryCase(id) !== undefined) return [];
    const reasons = file.leftOut.flatMap(({ operationId, reason }) => (operationId === id ? [reason] : []));
    return [
      {
        id: `${id}/valid/none`,
        clauses: [],
        level: 'required',
        title: `Accepts a valid request of ${method.toUpperCase()} ${path}.`,
        run: async (context) => context.skip(`${reasons.join(' ')} An example in the contract gives one.`),
      },
    ];
  });
}

async function runDerivedCase(session: ContractSession, context: CaseContext, one: Case): Promise<void> {
  const { answer, isKnown } = await sendCase(session, context, one);
  const { problems, warnings, skip } = judge(one, answer, session.examine, { isKnown });
  if (skip !== undefined) return context.skip(skip);
  context.warnings.push(...warnings);
  context.demand(problems);
}
