import type { CaseFile, ContractDocument } from '@branchline/contract';
import { CaseContext } from '../engine/case-context.ts';
import { openTransport } from '../engine/http/transport.ts';
import { Redactor } from '../engine/redact/redactor.ts';
import type { CaseResult } from '../engine/result.ts';
import { runCase } from '../engine/run-case.ts';
import { runCases } from '../engine/run.ts';
import { createPace } from '../engine/schedule/pace.ts';
import { Sender } from '../engine/schedule/sender.ts';
import { toConformanceCases } from './cases.ts';
import { listSecrets } from './credentials.ts';
import type { RunOptions, Target } from './options.ts';

const CONCURRENCY = 4;

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
  const { concurrency = CONCURRENCY, paceMs = 0, timeLimitMs, signal } = options;
  const stop = new AbortController();
  const redactor = new Redactor({ secrets: listSecrets(target.credentials ?? {}) });
  const transport = openTransport({}, concurrency);
  const pace = createPace(paceMs > 0 ? 1_000 / paceMs : undefined);
  const sender = new Sender({
    baseUrl: target.baseUrl,
    record: (outgoing, outcome) => redactor.record(outgoing, outcome),
    // One pace for all operations.
    pace: () => pace('all'),
    timeoutMs: timeLimitMs,
    concurrency,
    transport,
    signal: AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])]),
  });
  try {
    yield* runCases(toConformanceCases(file, document, target, options), {
      run: (one) => runCase(one, new CaseContext(sender), redactor),
      concurrency,
      signal,
    });
  } finally {
    stop.abort();
    transport.close();
  }
}
