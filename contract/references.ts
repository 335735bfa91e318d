import type { Located } from './contract.ts';
import type { OpenApiDocument, Reference } from './openapi.ts';
import { isObject, referencePointer, valueAt } from './pointers.ts';

/**
 * Follows references until it meets something that is none, and says where that stands.
 *
 * @param pointer - Where `value` stands; it stays the answer where `value` is no reference.
 */
export function resolveIn<T>(document: OpenApiDocument, value: T | Reference, pointer = ''): Located<T> {
  let here: Located<unknown> = { value, pointer };
  while (isObject(here.value) && typeof here.value['$ref'] === 'string') {
    const next: string = referencePointer(here.value['$ref']) ?? '';
    here = { value: valueAt(document, next), pointer: next };
  }
  return here as Located<T>;
}
