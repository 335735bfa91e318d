import { listSchemaPointers, searchWaysBack } from '../checks/cycles.ts';
import { valueAtPath } from '../json.ts';
import type { OpenApiDocument } from '../openapi.ts';
import { fromPointer, isObject, toPointer } from '../pointers.ts';
import type { Warn } from './fault.ts';

/** How a schema applies another to the same value. */
const EDGE = /\/(?:(?:allOf|anyOf|oneOf)\/\d+|dependentSchemas\/[^/]+|not|if|then|else)$/;

/**
 * Opens schemas that are made of themselves. Mostly one names those that are made of it as its alternatives: it goes on without them, so
 * that they stay what they are.
 */
export function mendCycles(document: OpenApiDocument, warn: Warn): void {
  const named = listSchemaPointers(document);
  let findWayBack = searchWaysBack(document);
  for (const pointer of named) {
    for (let way = findWayBack(pointer); way !== undefined; way = findWayBack(pointer)) {
      const edges = way.filter((place) => !named.includes(place) && EDGE.test(place));
      const edge = edges.find((place) => /\/(?:anyOf|oneOf)\/\d+$/.test(place)) ?? edges.at(-1);
      if (edge === undefined) break;
      const opened = open(document, edge);
      findWayBack = searchWaysBack(document);
      warn(opened, `By "${fromPointer(opened).at(-1)}" this schema would be made of itself; it is ignored.`);
    }
  }
}

/** Takes a part of a composition away, and the keyword with it where no choice is left; gives the pointer of what is gone. */
function open(document: OpenApiDocument, edge: string): string {
  const path = fromPointer(edge);
  const isPart = /\/allOf\/\d+$/.test(edge);
  const parts = valueAtPath(document, path.slice(0, -1));
  if (isPart && Array.isArray(parts) && parts.length > 1) {
    parts.splice(Number(path.at(-1)), 1);
    return edge;
  }
  const keyword = /^\d+$/.test(path.at(-1) ?? '') ? path.slice(0, -1) : path;
  const owner = valueAtPath(document, keyword.slice(0, -1));
  if (isObject(owner)) delete owner[keyword.at(-1) ?? ''];
  return toPointer(keyword);
}
