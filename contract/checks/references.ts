import { DATA_FIELDS, namesItsFields } from '../data-fields.ts';
import { isObject, pointerTo, referencePointer, valueAt } from '../pointers.ts';
import type { Finding } from './check.ts';

/** Every `$ref` must lead to something inside the document. */
export function checkReferences(document: unknown): Finding[] {
  const findings: Finding[] = [];
  const ending = new Set<string>();
  visitReferences(document, (reference, pointer) => {
    const sentence = explainReference(document, reference, pointer, ending);
    if (sentence !== undefined) findings.push({ pointer: pointerTo(pointer, '$ref'), sentence });
  });
  return findings;
}

/** Calls back with each reference of a document, the pointer of the object that holds it, and that object. */
export function visitReferences(document: unknown, found: Found): void {
  visit(document, '', found);
}

type Found = (reference: string, pointer: string, owner: Record<string, unknown>) => void;

function visit(node: unknown, pointer: string, found: Found): void {
  if (!isObject(node)) return;
  if (typeof node['$ref'] === 'string') found(node['$ref'], pointer, node);
  const isNameMap = namesItsFields(pointer);
  for (const [field, value] of Object.entries(node)) {
    const isData = !isNameMap && (DATA_FIELDS.has(field) || field.startsWith('x-'));
    if (!isData) visit(value, pointerTo(pointer, field), found);
    else if (field === 'examples' && !Array.isArray(value)) visitExamples(value, pointerTo(pointer, field), found);
  }
}

/** The Example Objects themselves may be references; what they hold is data. */
function visitExamples(examples: unknown, pointer: string, found: Found): void {
  for (const [name, example] of Object.entries(isObject(examples) ? examples : {})) {
    if (isObject(example) && typeof example['$ref'] === 'string')
      found(example['$ref'], pointerTo(pointer, name), example);
  }
}

function explainReference(document: unknown, reference: string, at: string, ending: Set<string>): string | undefined {
  if (!reference.startsWith('#')) {
    return `"${reference}" leads to another document; put everything into one file first, for example with "npx @redocly/cli bundle".`;
  }
  const pointer = referencePointer(reference);
  if (pointer === undefined)
    return `"${reference}" is not supported; write the reference as a path from the root, "#/…".`;
  const target = valueAt(document, pointer);
  if (target === undefined) return `"${reference}" leads nowhere; correct it, or add what it names.`;
  return endsInItself(document, pointer, at, ending) ? `"${reference}" leads back to itself.` : undefined;
}

/**
 * Follows a chain of bare references; a cycle among them never reaches a value.
 *
 * @param ending - What is known to reach one; what this chain passes is added.
 */
function endsInItself(document: unknown, first: string, at: string, ending: Set<string>): boolean {
  const seen = new Set([at]);
  for (let pointer: string | undefined = first; pointer !== undefined && !ending.has(pointer);) {
    if (seen.has(pointer)) return true;
    seen.add(pointer);
    const target = valueAt(document, pointer);
    const next: unknown = isObject(target) ? target['$ref'] : undefined;
    pointer = typeof next === 'string' ? referencePointer(next) : undefined;
  }
  for (const pointer of seen) ending.add(pointer);
  return false;
}
