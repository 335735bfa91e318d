import { type Node, parseTree } from 'jsonc-parser';
import type { Position } from './contract.ts';
import { fromPointer } from './pointers.ts';

/** Says where in a JSON text the value at a pointer, or its nearest ancestor that was written, begins; that of a field with its name. */
export function findPlaces(text: string): (pointer: string) => Position {
  const root = parseTree(text);
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  const findChild = createChildFinder();
  return (pointer) => {
    let node = root;
    let offset = root?.offset ?? 0;
    for (const segment of fromPointer(pointer)) {
      const child: Node | undefined = findChild(node, segment);
      if (child === undefined) break;
      ({ offset } = child);
      node = child.type === 'property' ? child.children?.[1] : child;
    }
    const before = countBelow(ends, offset) - 1;
    return { line: before + 2, column: offset - (ends[before] ?? -1) };
  };
}

/** Where thousands of places are asked for, an object of as many fields is gone through once. */
function createChildFinder(): (parent: Node | undefined, segment: string) => Node | undefined {
  const known = new Map<Node, Map<unknown, Node>>();
  return (parent, segment) => {
    if (parent === undefined) return undefined;
    const { type, children = [] } = parent;
    if (type === 'array') return /^\d+$/.test(segment) ? children[Number(segment)] : undefined;
    // The last of several fields of one name is the one that counts.
    const fields = known.get(parent) ?? new Map(children.map((field) => [field.children?.[0]?.value, field]));
    known.set(parent, fields);
    return fields.get(segment);
  };
}

/** How many of some sorted numbers are less. */
function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
