import { createHash } from 'node:crypto';
import {
  type Contract,
  fromPointer,
  isObject,
  type OpenApiDocument,
  type Operation,
  type PathItemObject,
  pointerTo,
  referencePointer,
  valueAt,
} from '@branchline/contract';
import { ToolError } from '../tool-error.ts';
import type { Filter, Selection } from './config.ts';

/**
 * The contract with the operations that a filter leaves, and of its components those that they use.
 *
 * @throws ToolError where it leaves none, or names what there is not
 */
export function filterContract(contract: Contract, { include, exclude }: Filter): Contract {
  if (include === undefined && exclude === undefined) return contract;
  for (const [field, selection] of Object.entries({ include, exclude }))
    refuseUnknown(contract, field, selection ?? {});
  const isIncluded = (operation: Operation): boolean => listTests(include ?? {}).every((test) => test(operation));
  const isExcluded = (operation: Operation): boolean => listTests(exclude ?? {}).some((test) => test(operation));
  const operations = contract.operations.filter((operation) => isIncluded(operation) && !isExcluded(operation));
  if (operations.length === 0) throw new ToolError(`"include" and "exclude" leave no operation of ${contract.source}.`);
  const document = selectDocument(contract.document, operations);
  const names = Object.keys(document.components?.securitySchemes ?? {});
  return {
    ...contract,
    document,
    operations,
    securitySchemes: new Map([...contract.securitySchemes].filter(([name]) => names.includes(name))),
    sha256: createHash('sha256')
      .update(contract.sha256)
      .update(JSON.stringify([include, exclude]))
      .digest('hex'),
  };
}

const READERS: { [field in keyof Selection]-?: (operation: Operation) => readonly string[] } = {
  tags: ({ definition }) => definition.tags ?? [],
  operations: ({ definition, id }) => [definition.operationId ?? id],
  paths: ({ path }) => [path],
};

function listTests(selection: Selection): ((operation: Operation) => boolean)[] {
  return listFields(selection).map(
    ({ field, patterns }) =>
      (operation) =>
        patterns.some((pattern) => READERS[field](operation).some((text) => fits(text, pattern))),
  );
}

function listFields(selection: Selection): { field: keyof Selection; patterns: readonly string[] }[] {
  return (['tags', 'operations', 'paths'] as const).flatMap((field) => {
    const patterns = selection[field];
    return patterns === undefined ? [] : [{ field, patterns }];
  });
}

/** A misspelt name would leave out what was meant without a word. */
function refuseUnknown({ operations, source }: Contract, place: string, selection: Selection): void {
  for (const { field, patterns } of listFields(selection)) {
    const texts = operations.flatMap(READERS[field]);
    const unknown = patterns.find((pattern) => !texts.some((text) => fits(text, pattern)));
    if (unknown !== undefined) throw new ToolError(`"${place}.${field}": "${unknown}" fits no operation of ${source}.`);
  }
}

function fits(text: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}

function selectDocument(document: OpenApiDocument, operations: readonly Operation[]): OpenApiDocument {
  const paths: Record<string, PathItemObject> = {};
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const wanted = operations.filter((operation) => operation.path === path);
    paths[path] = selectMethods(document, wanted);
  }
  const { webhooks: _, components: _all, ...rest } = document;
  const kept = { ...rest, paths };
  const components = selectComponents(document, kept, operations);
  const tags = new Set(operations.flatMap(({ definition }) => definition.tags ?? []));
  return {
    ...kept,
    ...(Array.isArray(rest['tags'])
      ? { tags: rest['tags'].filter((tag: unknown) => isObject(tag) && tags.has(String(tag['name']))) }
      : {}),
    ...(Object.keys(components).length > 0 && { components }),
  };
}

/**
 * The components that a part of a document uses, with the security schemes of operations.
 *
 * @param kept - The part.
 */
export function selectComponents(
  document: OpenApiDocument,
  kept: object,
  operations: readonly Operation[],
): NonNullable<OpenApiDocument['components']> {
  const reachable = findReachable(document, kept, operations);
  const sections = Object.entries(document.components ?? {}).map(([section, members]): [string, unknown] => [
    section,
    isObject(members) ? selectMembers(members, pointerTo('/components', section), reachable) : members,
  ]);
  return Object.fromEntries(sections.filter(([, members]) => !isObject(members) || Object.keys(members).length > 0));
}

/** The path item with the methods of these operations, wherever it is written. */
function selectMethods(document: OpenApiDocument, operations: readonly Operation[]): PathItemObject {
  const [first] = operations;
  const item = valueAt(document, (first?.pointer ?? '').replace(/\/[^/]+$/, ''));
  const methods = operations.map(({ method }) => method);
  const fields = Object.entries(isObject(item) ? item : {}).filter(
    ([field, value]) => methods.some((method) => method === field) || !isOperation(value),
  );
  return Object.fromEntries(fields);
}

function isOperation(value: unknown): boolean {
  return isObject(value) && 'responses' in value;
}

function selectMembers(
  members: Readonly<Record<string, unknown>>,
  pointer: string,
  reachable: ReadonlySet<string>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => reachable.has(pointerTo(pointer, name))));
}

/** The components that what is kept refers to, and those that these refer to. */
function findReachable(document: OpenApiDocument, kept: object, operations: readonly Operation[]): Set<string> {
  const found = new Set<string>();
  const add = (pointer: string): void => {
    const [, section, name] = fromPointer(pointer);
    if (section !== undefined && name !== undefined) found.add(pointerTo('/components', section, name));
  };
  const visit = (value: unknown): void => {
    if (typeof value === 'string' && value.startsWith('#/components/')) add(referencePointer(value) ?? '');
    if (!isObject(value)) return;
    for (const name of listChosen(document, value)) add(pointerTo('/components/schemas', name));
    for (const member of Object.values(value)) visit(member);
  };
  for (const { security } of operations) {
    for (const name of security.flatMap(Object.keys)) add(pointerTo('/components/securitySchemes', name));
  }
  visit(kept);
  // A set goes on to what is added to it meanwhile.
  for (const pointer of found) {
    visit(valueAt(document, pointer));
    for (const child of listMadeOf(document, pointer)) add(child);
  }
  return found;
}

/** The schemas that a discriminator chooses by their names. */
function listChosen(document: OpenApiDocument, { discriminator }: Readonly<Record<string, unknown>>): string[] {
  const mapping = isObject(discriminator) ? discriminator['mapping'] : undefined;
  const targets = Object.values(isObject(mapping) ? mapping : {}).map(String);
  return targets.filter((name) => Object.hasOwn(document.components?.schemas ?? {}, name));
}

/** The schemas that are made of one by `allOf`, where it has a discriminator: it may stand for any of them. */
function listMadeOf(document: OpenApiDocument, pointer: string): string[] {
  const schema = valueAt(document, pointer);
  if (!isObject(schema) || !isObject(schema['discriminator'])) return [];
  const isMadeOfIt = (other: unknown): boolean =>
    isObject(other) &&
    Array.isArray(other['allOf']) &&
    other['allOf'].some((part) => isObject(part) && part['$ref'] === `#${pointer}`);
  return Object.entries(document.components?.schemas ?? {})
    .filter(([, other]) => isMadeOfIt(other))
    .map(([name]) => pointerTo('/components/schemas', name));
}
