import { isObject, type OpenApiDocument, referencePointer, valueAt } from '@branchline/contract';

/** How deep a sample goes where its schema does not branch out. */
const DEEPEST = 12;

/** How many values a sample may hold. Schemas that refer to each other would make billions of them. */
const MOST_VALUES = 2_000;

/** The depth at which a sample of a schema holds no more values than can be handled. */
export function findSampleDepth(document: OpenApiDocument, schema: object): number {
  const known = new Map<object, Map<number, number>>();
  for (let depth = 1; depth < DEEPEST; depth += 1) {
    if (countValues(document, schema, depth + 1, known) > MOST_VALUES) return depth;
  }
  return DEEPEST;
}

/** How many values a sample of some depth holds at most; what is beyond the bound is not counted to its end. */
function countValues(
  document: OpenApiDocument,
  written: unknown,
  depth: number,
  known: Map<object, Map<number, number>>,
): number {
  if (!isObject(written) || depth <= 0) return 1;
  const counts = known.get(written) ?? new Map<number, number>();
  known.set(written, counts);
  const counted = counts.get(depth);
  if (counted !== undefined) return counted;
  // One that leads back to itself at the same depth is cut off there.
  counts.set(depth, 1);
  const { same, deeper } = listParts(document, written);
  let count = 1;
  for (const part of same) count += countValues(document, part, depth, known);
  for (const [part, times] of deeper) {
    const values = countValues(document, part, depth - 1, known);
    // A long list of plain values is made all the same.
    count += values === 1 ? 1 : times * values;
    if (count > MOST_VALUES) break;
  }
  counts.set(depth, count);
  return count;
}

/** What a value is also made by, and what makes the values in it. Of alternatives a sample takes the first. */
function listParts(
  document: OpenApiDocument,
  {
    $ref: reference,
    allOf,
    oneOf,
    anyOf,
    properties,
    items,
    prefixItems,
    minItems,
    additionalProperties,
  }: Record<string, unknown>,
): { same: unknown[]; deeper: [part: unknown, times: number][] } {
  const target = typeof reference === 'string' ? valueAt(document, referencePointer(reference) ?? '') : undefined;
  const alternatives = [oneOf, anyOf].flatMap((parts) => (Array.isArray(parts) ? parts.slice(0, 1) : []));
  return {
    same: [target, ...(Array.isArray(allOf) ? allOf : []), ...alternatives],
    deeper: [
      ...Object.values(isObject(properties) ? properties : {}).map(once),
      [items, typeof minItems === 'number' ? Math.max(1, minItems) : 1],
      ...(Array.isArray(prefixItems) ? prefixItems : []).map(once),
      once(additionalProperties),
    ],
  };
}

function once(part: unknown): [part: unknown, times: number] {
  return [part, 1];
}
