import type { OpenApiDocument } from './openapi.ts';
import { isObject, pointerTo } from './pointers.ts';

/** The extension that hands the judging of an array's items to the handler. */
export const eachExtension = 'x-branchline-each';

/** An array schema marked `x-branchline-each`; `name` is that of its items' schema, if they have one. */
export interface JudgedArray {
  pointer: string;
  name: string | undefined;
}

export function judgedArrays(document: OpenApiDocument): JudgedArray[] {
  const found: JudgedArray[] = [];
  visit(document, '', found);
  return found;
}

function visit(node: unknown, pointer: string, found: JudgedArray[]): void {
  if (!isObject(node)) return;
  if (eachExtension in node) found.push({ pointer, name: nameOf(node['items']) });
  for (const [field, value] of Object.entries(node)) visit(value, pointerTo(pointer, field), found);
}

function nameOf(items: unknown): string | undefined {
  const reference = isObject(items) ? items['$ref'] : undefined;
  return typeof reference === 'string' ? /^#\/components\/schemas\/([\w.-]+)$/.exec(reference)?.[1] : undefined;
}
