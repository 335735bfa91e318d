import {
  type Contract,
  findItemwiseArrays,
  fromPointer,
  isObject,
  mapSchemas,
  pointerTo,
  referencePointer,
  toRequestSchemas,
  valueAt,
} from '@branchline/contract';
import type { OperationPlan } from '@branchline/runtime';
import { generatedHeader } from '../../target.ts';
import { markUploads } from '../../typescript/multipart.ts';

/** What requests are validated by, as data. */
export function printSchemas(contract: Contract, schemas: object): string {
  return `${JSON.stringify({ 'x-branchline-generated': generatedHeader(contract), ...schemas }, null, 2)}\n`;
}

/** What says nothing about which values are valid. */
const ANNOTATIONS = new Set(
  'title description default example examples deprecated externalDocs xml $comment discriminator x-branchline-origin'.split(
    ' ',
  ),
);

/** The schemas that requests are validated by, each where it stands in the contract, and all that they refer to. */
export function selectSchemas(contract: Contract, operations: readonly OperationPlan[]): object {
  return selectReachable(toRequestSchemas(markUploads(contract)), [...listSchemas(operations), ...listItems(contract)]);
}

/** What stands at pointers of a document, and all that it refers to. */
export function selectReachable(document: object, pointers: readonly string[]): object {
  const wanted = new Set(pointers);
  // A set goes on to what is added to it meanwhile.
  for (const pointer of wanted) for (const target of findReferences(valueAt(document, pointer))) wanted.add(target);
  const outermost = [...wanted].filter((pointer) => !hasAncestor(pointer, wanted)).toSorted();
  const selected = {};
  for (const pointer of outermost) place(selected, fromPointer(pointer), valueAt(document, pointer));
  return mapSchemas(selected, withoutAnnotations);
}

/** The pointers of the schemas that the routes compile. */
export function listSchemas(operations: readonly OperationPlan[]): string[] {
  return operations.flatMap(({ parameters, body }) =>
    [...parameters, ...(body?.media ?? [])].flatMap(({ schema }) => schema ?? []),
  );
}

function listItems({ document }: Contract): string[] {
  return findItemwiseArrays(document).flatMap(({ name }) =>
    name === undefined ? [] : [pointerTo('/components/schemas', name)],
  );
}

function findReferences(node: unknown): string[] {
  if (!isObject(node)) return [];
  const { $ref: reference } = node;
  const own = typeof reference === 'string' ? (referencePointer(reference) ?? []) : [];
  return [own, ...Object.values(node).map(findReferences)].flat();
}

function hasAncestor(pointer: string, others: ReadonlySet<string>): boolean {
  const parts = pointer.split('/');
  return parts.some((_part, index) => index > 0 && others.has(parts.slice(0, index).join('/')));
}

/** What was a list of the contract becomes an object by index: pointers lead through either. */
function place(root: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    root[name] = value;
    return;
  }
  const there = root[name];
  const next = isObject(there) ? there : {};
  root[name] = next;
  place(next, rest, value);
}

function withoutAnnotations(schema: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.has(keyword)));
}
