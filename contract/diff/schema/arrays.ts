import type { Located } from '../../contract.ts';
import { pointerTo } from '../../pointers.ts';
import type { Pair } from './change.ts';
import type { Comparison, Step } from './comparison.ts';
import { typesOf } from './types.ts';
import type { Part, View } from './view.ts';

/** Changes of the items of arrays: of those that have a place of their own, and of the others. */
export function compareArrays({ views }: Comparison, pair: Pair): Step {
  if (!typesOf(pair.old).has('array') || !typesOf(pair.new).has('array')) return { changes: [], inner: [] };
  const places = Math.max(countPlaces(pair.old), countPlaces(pair.new));
  const inner = Array.from({ length: places + 1 }, (_, place) => ({
    old: placeAt(views.old(...findItem(pair.old, place)), pair.old),
    new: placeAt(views.new(...findItem(pair.new, place)), pair.new),
  }));
  return { changes: [], inner };
}

/** Where nothing is said of items, what is to be shown is the array. */
function placeAt(item: View, array: View): View {
  return item.parts.length === 0 && !item.isFalse ? { ...item, pointer: array.pointer } : item;
}

function countPlaces(view: View): number {
  return view.parts.reduce((most, part) => Math.max(most, readPrefix(part).length), 0);
}

function findItem(view: View, place: number): Located<unknown>[] {
  return view.parts.flatMap((part) => {
    const prefix = readPrefix(part);
    if (place < prefix.length)
      return [{ value: prefix[place], pointer: pointerTo(part.pointer, 'prefixItems', place) }];
    return 'items' in part.schema ? [{ value: part.schema['items'], pointer: pointerTo(part.pointer, 'items') }] : [];
  });
}

function readPrefix({ schema }: Part): readonly unknown[] {
  return Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
}
