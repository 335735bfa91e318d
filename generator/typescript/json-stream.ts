import { type Contract, follow, type MediaTypeObject, pointerTo } from '@branchline/contract';
import { findTypes } from './schema-types.ts';

/** Whether the schema of a JSON stream is that of the whole, a list; it may be that of each item, too. */
function isList(contract: Contract, { schema }: MediaTypeObject): boolean {
  const types = findTypes(contract, schema);
  return types.size === 1 && types.has('array');
}

/**
 * The pointer of the schema of each item; `undefined` where it may be anything.
 *
 * @param pointer - Of the media type.
 */
export function findItemPointer(contract: Contract, media: MediaTypeObject, pointer: string): string | undefined {
  if (media.schema === undefined) return undefined;
  const whole = pointerTo(pointer, 'schema');
  if (!isList(contract, media)) return whole;
  const list = follow<{ items?: unknown }>(contract.document, whole);
  return list.value.items === undefined ? undefined : pointerTo(list.pointer, 'items');
}

/**
 * The type of each item.
 *
 * @param documented - The type of what the contract describes.
 */
export function printItemType(contract: Contract, media: MediaTypeObject, documented: string): string {
  return isList(contract, media) ? `${documented}[number]` : documented;
}
