import type { OpenApiDocument } from './openapi.ts';
import { isObject, pointerTo } from './pointers.ts';

/** The extension that hands the judging of an array's items to the handler. */
export const EACH_EXTENSION = 'x-branchline-each';

/** An array schema marked `x-branchline-each`; `name` is that of its items' schema, if they have one. */
export interface ItemwiseArray {
  pointer: string;
  name: string | undefined;
}

export function findItemwiseArrays(document: OpenApiDocument): ItemwiseArray[] {
  const found: ItemwiseArray[] = [];
  visit(document, '', found);
  return found;
}

function visit(node: unknown, pointer: string, found: ItemwiseArray[]): void {
  if (!isObject(node)) return;
  if (EACH_EXTENSION in node) found.push({ pointer, name: readSchemaName(node['items']) });
  for (const [field, value] of Object.entries(node)) visit(value, pointerTo(pointer, field), found);
}

function readSchemaName(items: unknown): string | undefined {
  const reference = isObject(items) ? items['$ref'] : undefined;
  return typeof reference === 'string' ? /^#\/components\/schemas\/([\w.-]+)$/.exec(reference)?.[1] : undefined;
}
