import { type Node, parseTree } from 'jsonc-parser';
import type { Position } from './contract.ts';
import { fromPointer } from './pointers.ts';

/** Says where in a JSON text the value at a pointer, or its nearest ancestor that was written, begins; that of a field with its name. */
export function findPlaces(text: string): (pointer: string) => Position {
  const root = parseTree(text);
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (pointer) => {
    let node = root;
    let offset = root?.offset ?? 0;
    for (const segment of fromPointer(pointer)) {
      const child: Node | undefined = findChild(node, segment);
      if (child === undefined) break;
      ({ offset } = child);
      node = child.type === 'property' ? child.children?.[1] : child;
    }
    const before = ends.findLastIndex((end) => end < offset);
    return { line: before + 2, column: offset - (ends[before] ?? -1) };
  };
}

/** The last of several fields of one name is the one that counts. */
function findChild({ type, children = [] }: Partial<Node> = {}, segment: string): Node | undefined {
  if (type === 'array') return /^\d+$/.test(segment) ? children[Number(segment)] : undefined;
  return children.findLast((field) => field.children?.[0]?.value === segment);
}
