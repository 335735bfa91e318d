import { isObject, pointerTo } from '../pointers.ts';
import type { Finding } from './check.ts';

const KEYWORDS = ['$anchor', '$dynamicAnchor'];

/** Within one document, an anchor is the name of one schema. A schema with an `$id` of its own has its own anchors. */
export function checkAnchors(document: unknown): Finding[] {
  const findings: Finding[] = [];
  visit(document, '', new Map(), findings);
  return findings;
}

function visit(node: unknown, pointer: string, known: Map<string, string>, findings: Finding[]): void {
  if (!isObject(node)) return;
  const anchors = pointer !== '' && typeof node['$id'] === 'string' ? new Map<string, string>() : known;
  for (const keyword of KEYWORDS) {
    const name = node[keyword];
    if (typeof name !== 'string') continue;
    const first = anchors.get(name);
    if (first !== undefined) {
      const sentence = `The anchor "${name}" is already that of "${first}"; give each schema its own.`;
      findings.push({ pointer: pointerTo(pointer, keyword), sentence });
    }
    anchors.set(name, first ?? pointer);
  }
  for (const [field, value] of Object.entries(node)) visit(value, pointerTo(pointer, field), anchors, findings);
}
