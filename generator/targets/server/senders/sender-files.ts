import { type Contract, readHooks } from '@branchline/contract';
import { selectComponents } from '../../../configuration/filter.ts';
import { readCopiedFiles } from '../../../typescript/copied-files.ts';
import { Models } from '../../../typescript/models.ts';
import { printClientTypes } from '../../../typescript/types-file.ts';
import { planCallbacks } from './callback-plan.ts';
import { type HookContract, printSenders } from './senders-file.ts';

/** What sends the webhooks and callbacks of a contract, by name; nothing where it has none. */
export async function makeSenderFiles(contract: Contract): Promise<[name: string, text: string][]> {
  const hooks = selectHooks(contract);
  if (hooks.operations.length === 0) return [];
  const models = new Models(hooks);
  const senders = printSenders(hooks, models, planCallbacks(contract, hooks.operations));
  const outgoing = await readCopiedFiles('outgoing');
  const copied = [
    ...(await readCopiedFiles('client')),
    ...outgoing.map(([name, text]) => [`outgoing/${name}`, text] as const),
  ];
  return [
    ['senders.ts', senders],
    ['senders/models.ts', models.print()],
    ['senders/types.ts', printClientTypes(withOwnPaths(hooks))],
    ...copied.map(([name, text]): [string, string] => [`senders/${name}`, text]),
  ];
}

/** The contract as if its hooks were its operations, with the components that they use. */
function selectHooks(contract: Contract): HookContract {
  const operations = readHooks(contract);
  const components = selectComponents(contract.document, operations, operations);
  const schemes = components.securitySchemes ?? {};
  return {
    ...contract,
    document: { ...contract.document, components },
    operations,
    securitySchemes: new Map([...contract.securitySchemes].filter(([name]) => Object.hasOwn(schemes, name))),
  };
}

/** Callbacks of several operations may be sent to the same expression; types are told apart by their path. */
function withOwnPaths(hooks: HookContract): HookContract {
  return { ...hooks, operations: hooks.operations.map((hook) => ({ ...hook, path: `/${hook.id}` })) };
}
