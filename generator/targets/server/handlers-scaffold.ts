import { type Contract, createIdentifiers, type Operation } from '@branchline/contract';
import { escapeComment } from '../../comments.ts';
import { quote } from '../../typescript/code.ts';

/** The handlers of one tag, in a file of their own. */
interface Group {
  /** Of its file, without the extension. */
  file: string;
  /** Of what the file exports. */
  constant: string;
  tag: string;
  operations: Operation[];
}

/**
 * The handlers in `server/` as a user first finds them: every operation answers the contract's example. Where the contract has
 * several tags, those of each stand in `handlers/<tag>.ts`, by the first tag of an operation; else all in `handlers.ts`.
 */
export function printHandlersScaffold({ operations }: Contract): [name: string, text: string][] {
  const tagged = groupByTag(operations);
  const groups = tagged.length > 1 ? tagged : [];
  const others = groups.length > 0 ? operations.filter((operation) => findTag(operation) === undefined) : operations;
  return [
    ['handlers.ts', printAll(groups, others)],
    ...groups.map((group): [string, string] => [`handlers/${group.file}.ts`, printGroup(group)]),
  ];
}

function groupByTag(operations: readonly Operation[]): Group[] {
  const identify = createIdentifiers();
  const groups = new Map<string, Group>();
  for (const operation of operations) {
    const tag = findTag(operation);
    if (tag === undefined) continue;
    const group = groups.get(tag) ?? { ...nameGroup(identify(tag)), tag, operations: [] };
    group.operations.push(operation);
    groups.set(tag, group);
  }
  return [...groups.values()];
}

function nameGroup(identifier: string): Pick<Group, 'file' | 'constant'> {
  const file = identifier.replaceAll(/(?<=[a-z\d])(?=[A-Z])|_/g, '-').toLowerCase();
  return { file, constant: `${identifier}Handlers` };
}

function findTag({ definition }: Operation): string | undefined {
  // What is wrong in tags hurts nobody.
  const tag: unknown = Array.isArray(definition.tags) ? definition.tags[0] : undefined;
  return typeof tag === 'string' && tag.trim() !== '' ? tag : undefined;
}

function printAll(groups: readonly Group[], others: readonly Operation[]): string {
  const imports = [
    ...printStubImport('./generated', others),
    "import type { Handlers } from './generated/handlers.ts';",
    ...groups.map(({ file, constant }) => `import { ${constant} } from './handlers/${file}.ts';`),
  ];
  const members = groups.map(({ constant }) => `\n  ...${constant},`).join('');
  return `${imports.join('\n')}

/** One function an operation.${others.length > 0 ? STUBS : ''} */
export const handlers: Handlers = {${members}${others.map(printStub).join('\n')}
};
`;
}

function printGroup({ constant, tag, operations }: Group): string {
  const ids = operations.map(({ id }) => quote(id)).join(' | ');
  return `${printStubImport('../generated', operations).join('')}
import type { Handlers } from '../generated/handlers.ts';

/** The operations of ${quote(escapeComment(tag))}.${STUBS} */
export const ${constant}: Pick<Handlers, ${ids}> = {${operations.map(printStub).join('\n')}
};
`;
}

const STUBS = " A stub answers with the contract's example; write your own in its place.";

function printStubImport(folder: string, operations: readonly Operation[]): string[] {
  return operations.length > 0 ? [`import { stub } from '${folder}/examples.ts';`] : [];
}

function printStub({ id, method, path }: Operation): string {
  return `
  /** ${escapeComment(`\`${method.toUpperCase()} ${path}\``)} */
  ${id}(_request) {
    return stub(${quote(id)});
  },`;
}
