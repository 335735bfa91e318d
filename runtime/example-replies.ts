import { ContractError } from './contract-error.ts';

/** A function for each operation, by its id. */
type AnyHandlers<Handlers> = { [Id in keyof Handlers]: (request: never) => unknown };

/**
 * Makes the stub that stands where a handler is not written yet: it answers with the contract's own example of the operation's
 * first success, and a header `branchline-stub` that says so. Where the contract gives no example, it throws a ContractError
 * (501), with the same header.
 *
 * @param examples - Replies by the id of their operation.
 */
export function exampleReplies<Handlers extends AnyHandlers<Handlers>>(examples: {
  readonly [Id in keyof Handlers]?: unknown;
}): <Id extends keyof Handlers>(id: Id) => Awaited<ReturnType<Handlers[Id]>> {
  return <Id extends keyof Handlers>(id: Id) => {
    const example: unknown = examples[id];
    if (example === undefined) {
      const sentence = `The operation "${String(id)}" has no example in the contract, and its handler is not written yet.`;
      throw new ContractError('stub', sentence, { 'branchline-stub': String(id) });
    }
    return example as Awaited<ReturnType<Handlers[Id]>>;
  };
}
