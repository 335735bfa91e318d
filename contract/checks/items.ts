import { EACH_EXTENSION, findItemwiseArrays } from '../items.ts';
import type { OpenApiDocument } from '../openapi.ts';
import { pointerTo } from '../pointers.ts';
import type { Finding } from './check.ts';

/** Items that a handler is to judge need a name to be judged by. */
export function checkItems(document: OpenApiDocument): Finding[] {
  return findItemwiseArrays(document)
    .filter(({ name }) => name === undefined)
    .map(({ pointer }) => ({
      pointer: pointerTo(pointer, EACH_EXTENSION),
      sentence: `"${EACH_EXTENSION}" needs "items" that are a reference to a schema under components.schemas.`,
    }));
}
