import type { Contract } from '@branchline/contract';
import { makeExampleReply, type ReplySamples } from './example-reply.ts';

/**
 * The contract's examples as replies, for handlers that are not written yet.
 *
 * @param runtime - What the file imports the runtime from.
 */
export function printExamples(contract: Contract, runtime: string, samples: ReplySamples): string {
  const replies = contract.operations.map((operation) => [
    operation.id,
    makeExampleReply(contract, operation, samples),
  ]);
  return `import { exampleReplies } from '${runtime}';
import type { Handlers } from './handlers.ts';

/** Answers with the contract's own example; 501 where it has none. */
export const stub = exampleReplies<Handlers>(${JSON.stringify(Object.fromEntries(replies), null, 2)});
`;
}
