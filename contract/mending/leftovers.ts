import type { Finding } from '../checks/check.ts';
import { checkSchemas } from '../checks/schemas.ts';
import { checkStructure } from '../checks/structure.ts';
import { valueAtPath } from '../json.ts';
import { methods } from '../openapi.ts';
import { fromPointer, isObject, pointerTo } from '../pointers.ts';
import type { Warn } from './fault.ts';

/** What no server depends on. */
const TOLD_ONLY = new Set([
  'info',
  'servers',
  'tags',
  'externalDocs',
  'webhooks',
  'links',
  'callbacks',
  'xml',
  'examples',
  'encoding',
]);

/** How often a document is looked through again: what is left out may bring other faults to light. */
const MOST_ROUNDS = 20;

/**
 * Leaves out what has not the structure of OpenAPI after all: the field, where no more depends on it, or the operation.
 *
 * @returns What can't be left out.
 */
export async function mendStructure(document: unknown, warn: Warn): Promise<Finding[]> {
  let findings: Finding[] = [];
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    findings = await checkStructure(document, Number.POSITIVE_INFINITY);
    if (!leaveOut(document, findings, warn)) break;
  }
  for (const { pointer, sentence } of findings.filter(isBearable)) warn(pointer, sentence);
  return findings.filter((finding) => !isBearable(finding));
}

function isBearable({ bearable }: Finding): boolean {
  return bearable === true;
}

/** Leaves out what is no JSON Schema: the keyword, so that what it would say is not asked for. */
export function mendInvalidSchemas(document: unknown, warn: Warn): void {
  for (let round = 0; round < MOST_ROUNDS; round += 1) if (!leaveOut(document, checkSchemas(document), warn)) break;
}

/** Whether anything was left out. */
function leaveOut(document: unknown, findings: readonly Finding[], warn: Warn): boolean {
  // The last of a list first, so that the others stay where they are.
  const inOrder = findings.toSorted((a, b) => b.pointer.localeCompare(a.pointer, 'en', { numeric: true }));
  const done = inOrder.map((finding) => {
    const place = finding.superfluous === true ? finding.pointer : findDispensable(finding.pointer);
    if (place === undefined || !removeAt(document, place)) return false;
    const isOperation = place !== finding.pointer && /^\/paths\/[^/]+\/[a-z]+$/.test(place);
    warn(
      finding.pointer,
      finding.sentence.replace(/\.$/, isOperation ? '; the operation is left out.' : '; it is ignored.'),
    );
    return true;
  });
  return done.some((one) => one);
}

/** The pointer of the least that can be left out so that what stands at a pointer is gone. */
function findDispensable(pointer: string): string | undefined {
  const path = fromPointer(pointer);
  const told = path.findIndex((field, index) => TOLD_ONLY.has(field) && path[index - 1] !== 'properties');
  if (told !== -1 && path.length > told + 1)
    return told === 0 && path[0] === 'info' ? pointer : pointerTo('', ...path.slice(0, told + 2));
  if (told !== -1) return pointer;
  if (isInSchema(path)) return pointer;
  const [section, , field] = path;
  if (section === 'paths' && path.length > 3 && methods.some((method) => method === field))
    return pointerTo('', ...path.slice(0, 3));
  return section === 'paths' && path.length >= 3 ? pointerTo('', ...path.slice(0, 3)) : undefined;
}

/** Whether a path leads to a keyword of a schema, or to a schema below another. */
function isInSchema(path: readonly string[]): boolean {
  const schema = path[0] === 'components' && path[1] === 'schemas' ? 2 : path.indexOf('schema');
  return schema > 0 && path.length > schema + 1;
}

function removeAt(document: unknown, pointer: string): boolean {
  const path = fromPointer(pointer);
  const owner = valueAtPath(document, path.slice(0, -1));
  const field = path.at(-1);
  if (!isObject(owner) || field === undefined || !Object.hasOwn(owner, field)) return false;
  if (Array.isArray(owner)) owner.splice(Number(field), 1);
  else delete owner[field];
  return true;
}
