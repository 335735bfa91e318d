import { DATA_FIELDS, namesItsFields } from '../data-fields.ts';
import { isObject, pointerTo } from '../pointers.ts';
import type { Finding } from './check.ts';

const KEYWORDS = ['$anchor', '$dynamicAnchor'];

/** The pointers of schemas by their names: those that are names of the document, and those of the schema around. */
interface Known {
  ids: Map<string, string>;
  anchors: Map<string, string>;
}

/**
 * Within one document, an anchor is the name of one schema, and so is an `$id`. A schema with an `$id` of its own has its own anchors.
 */
export function checkAnchors(document: unknown): Finding[] {
  const findings: Finding[] = [];
  visit(document, '', { ids: new Map(), anchors: new Map() }, findings);
  return findings;
}

function visit(node: unknown, pointer: string, known: Known, findings: Finding[]): void {
  if (!isObject(node)) return;
  const isNamed = pointer !== '' && typeof node['$id'] === 'string';
  const inside = isNamed ? { ...known, anchors: new Map<string, string>() } : known;
  if (isNamed) findings.push(...claim(node, '$id', pointer, known.ids));
  for (const keyword of KEYWORDS) findings.push(...claim(node, keyword, pointer, inside.anchors));
  const isNameMap = namesItsFields(pointer);
  for (const [field, value] of Object.entries(node)) {
    if (isNameMap || !DATA_FIELDS.has(field)) visit(value, pointerTo(pointer, field), inside, findings);
  }
}

/** Takes the name that a schema gives itself by a keyword; it may be taken already. */
function claim(node: Record<string, unknown>, keyword: string, pointer: string, taken: Map<string, string>): Finding[] {
  const name = node[keyword];
  if (typeof name !== 'string') return [];
  const first = taken.get(name);
  taken.set(name, first ?? pointer);
  if (first === undefined) return [];
  const what = keyword === '$id' ? `The "$id" "${name}"` : `The anchor "${name}"`;
  return [
    {
      pointer: pointerTo(pointer, keyword),
      sentence: `${what} is already that of "${first}"; give each schema its own.`,
    },
  ];
}
