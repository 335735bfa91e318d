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

async function runDerivedCase(session: ContractSession, context: CaseContext, one: Case): Promise<void> {
  const { answer, isKnown } = await sendCase(session, context, one);
  const { problems, warnings, skip } = judge(one, answer, session.examine, { isKnown });
  if (skip !== undefined) return context.skip(skip);
  context.warnings.push(...warnings);
  context.demand(problems);
}
