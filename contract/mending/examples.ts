import { isObject, pointerTo } from '../pointers.ts';
import type { Fields, Warn } from './fault.ts';

/** Where an object has examples by their names. */
const OWNERS = /\/(?:parameters|headers|content)\/[^/]+$/;

/** Leaves out `examples` that are no map from names to examples. */
export function mendExamples(document: Fields, warn: Warn): void {
  visit(document, '', warn);
}

function visit(node: unknown, pointer: string, warn: Warn): void {
  if (!isObject(node)) return;
  const { examples } = node;
  if (OWNERS.test(pointer) && examples !== undefined && !isMap(examples)) {
    delete node['examples'];
    warn(pointerTo(pointer, 'examples'), '"examples" must map names to objects with a "value"; it is ignored.');
  }
  for (const [field, value] of Object.entries(node)) {
    if (field !== 'example' && field !== 'examples' && !field.startsWith('x-'))
      visit(value, pointerTo(pointer, field), warn);
  }
}

function isMap(examples: unknown): boolean {
  return (
    isObject(examples) &&
    !Array.isArray(examples) &&
    Object.values(examples).every((one) => isObject(one) && !Array.isArray(one))
  );
}
