import { setTimeout as pause } from 'node:timers/promises';
import { type CaseFile, type ContractDocument, responseCheck } from '@branchline/contract';
import { runCase } from './attempt.ts';
import { agentFor } from './exchange.ts';
import type { RunOptions, Target } from './options.ts';
import type { Result } from './result.ts';

/**
 * Runs every case against a server and yields each result as it comes, not in order.
 *
 * @param document the OpenAPI document that the cases were derived from; every answer is checked against it too.
 * @throws never for what the server does: that is a result.
 */
export async function* runCases(
  { cases, bodies }: CaseFile,
  document: ContractDocument,
  target: Target,
  options: RunOptions = {},
): AsyncGenerator<Result, void, undefined> {
  const { concurrency = 4, paceMs = 0 } = options;
  const stop = new AbortController();
  const agent = agentFor(target.baseUrl, concurrency);
  const check = responseCheck(document);
  const underWay = new Set<Promise<Result>>();
  const next = async (): Promise<Result> => {
    const { result, task } = await Promise.race([...underWay].map(async (task) => ({ result: await task, task })));
    underWay.delete(task);
    return result;
  };
  try {
    for (const contractCase of cases) {
      if (options.signal?.aborted === true) break;
      const signal = AbortSignal.any([stop.signal, ...(options.signal === undefined ? [] : [options.signal])]);
      underWay.add(runCase(contractCase, { bodies, document, target, options, agent, check, signal }));
      if (paceMs > 0) await pause(paceMs);
      if (underWay.size >= concurrency) yield await next();
    }
    while (underWay.size > 0) yield await next();
  } finally {
    stop.abort();
    await Promise.allSettled(underWay);
    agent.destroy();
  }
}
