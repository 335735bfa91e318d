import type { Contract } from '@branchline/contract';
import { exampleReply } from './examples.ts';

/** The contract's examples as replies, for handlers that are not written yet. */
export function examplesFile(contract: Contract): string {
  const replies = contract.operations.map((operation) => [operation.id, exampleReply(contract, operation)]);
  return `import { ContractError } from './contract-error.ts';
import type { Handlers } from './handlers.ts';

type Replies = { [Id in keyof Handlers]: Awaited<ReturnType<Handlers[Id]>> };

const examples: { [Id in keyof Handlers]?: unknown } = ${JSON.stringify(Object.fromEntries(replies), null, 2)};

/**
 * Answers with the contract's own example of the operation's first success, and a header \`branchline-stub\` that says so.
 *
 * @throws ContractError (501) where the contract gives no example.
 */
export function stub<Id extends keyof Handlers>(id: Id): Replies[Id] {
  const example = examples[id];
  if (example === undefined) {
    throw new ContractError('stub', \`The operation "\${String(id)}" has no example in the contract; write its handler in server/handlers.ts.\`);
  }
  return example as Replies[Id];
}
`;
}
