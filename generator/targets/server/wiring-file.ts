/**
 * What joins the contract to the runtime: the plugin, and the types of its options.
 *
 * @param runtime - What the file imports the runtime from.
 */
export function printWiring(runtime: string): string {
  return `import { contractPlugin, contractSchemas, itemChecker, type ContractOptions as Options } from '${runtime}';
import type { Handlers, InvalidBodyHandlers, Items, Principals, SecurityHandlers } from './handlers.ts';
import { operations } from './operations.ts';
import document from './schemas.json' with { type: 'json' };

export { ContractError, errorReply, type CheckedItem, type ContractErrorKind } from '${runtime}';

/** What the contract is wired to. */
export type ContractOptions<P extends Principals = Principals> = Options<
  Handlers<P>,
  SecurityHandlers<P>,
  InvalidBodyHandlers<P>
>;

const schemas = contractSchemas(document);

/**
 * A Fastify plugin that serves every operation of the contract.
 *
 * @example
 * await app.register(contract, { handlers, securityHandlers });
 */
export const contract = contractPlugin<ContractOptions>(
  operations,
  schemas,
  () => import('./replies.json', { with: { type: 'json' } }),
);

/** Judges one item of an array that the contract marks \`x-branchline-each\`. */
export const checkItem = itemChecker<Items>(schemas);
`;
}
