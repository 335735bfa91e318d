import { isObject, pointerTo, referencePointer, valueAt } from '../pointers.ts';
import type { Fields, Warn } from './fault.ts';

/** Where an object has examples by their names. */
const OWNERS = /\/(?:parameters|headers|content)\/[^/]+$/;

/** Leaves out `examples` that are no map from names to examples. */
export function mendExamples(document: Fields, warn: Warn): void {
  visit(document, document, '', warn);
}

function visit(document: Fields, node: unknown, pointer: string, warn: Warn): void {
  if (!isObject(node)) return;
  if (OWNERS.test(pointer)) mendOwner(document, node, pointer, warn);
  for (const [field, value] of Object.entries(node)) {
    if (field !== 'example' && field !== 'examples' && !field.startsWith('x-'))
      visit(document, value, pointerTo(pointer, field), warn);
  }
}

function mendOwner(document: Fields, owner: Fields, pointer: string, warn: Warn): void {
  const { example, examples } = owner;
  const at = pointerTo(pointer, 'examples');
  if (examples === undefined) return;
  if (example !== undefined) {
    delete owner['examples'];
    warn(at, '"examples" stands beside "example"; it is ignored.');
  } else if (!isMap(examples)) {
    delete owner['examples'];
    warn(at, '"examples" must map names to objects with a "value"; it is ignored.');
  } else {
    for (const [name, one] of Object.entries(examples)) {
      if (!leadsNowhere(document, one)) continue;
      delete examples[name];
      warn(pointerTo(at, name), `The example "${name}" leads nowhere; it is ignored.`);
    }
  }
}

function leadsNowhere(document: Fields, example: unknown): boolean {
  if (!isObject(example) || typeof example['$ref'] !== 'string') return false;
  return valueAt(document, referencePointer(example['$ref']) ?? '/') === undefined;
}

function isMap(examples: unknown): examples is Fields {
  return (
    isObject(examples) &&
    !Array.isArray(examples) &&
    Object.values(examples).every((one) => isObject(one) && !Array.isArray(one))
  );
}
