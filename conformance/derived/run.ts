import type { CaseFile, ContractDocument } from '@branchline/contract';
import { CaseContext } from '../engine/case-context.ts';
import type { CaseResult } from '../engine/result.ts';
import { runCase } from '../engine/run-case.ts';
import { runCases } from '../engine/run.ts';
import { toConformanceCases } from './cases.ts';
import type { RunOptions, Target } from './options.ts';
import { ContractSession } from './session.ts';

/**
 * Runs the cases that were derived from a contract against a server, and yields the result of each, in order.
 *
 * @param document - the OpenAPI document that the cases were derived from; every answer is checked against it too.
 * @throws never for what the server does: that is a result.
 */
export async function* runDerivedCases(
  file: CaseFile,
  document: ContractDocument,
  target: Target,
  options: RunOptions = {},
): AsyncGenerator<CaseResult, void, undefined> {
  const { signal } = options;
  const stop = new AbortController();
  const ended = AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])]);
  const session = new ContractSession(file, document, target, options, ended);
  try {
    yield* runCases(toConformanceCases(session), {
      run: (one) => runCase(one, new CaseContext(session.sender), session.redactor),
      concurrency: session.concurrency,
      signal,
    });
  } finally {
    stop.abort();
    session.close();
  }
}
