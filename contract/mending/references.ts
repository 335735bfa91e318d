import { visitReferences } from '../checks/references.ts';
import { fromPointer, isObject, pointerTo, referencePointer, valueAt } from '../pointers.ts';
import { findSection } from '../sections.ts';
import type { Fields, Warn } from './fault.ts';

/** Fields of a document in which references may lead. */
const KNOWN = new Set(['components', 'paths', 'webhooks']);

/**
 * Mends references that lead to something by another way than OpenAPI's: with a `%` that is no escape, or to where OpenAPI knows nothing,
 * such as `#/definitions/Pet`. What they lead to there is taken to the components.
 */
export function mendReferences(document: Fields, warn: Warn): void {
  const places = new Map<string, string>();
  const mend = (reference: string, pointer: string, owner: Fields): void => {
    const written = reference.startsWith('#/') ? reference.slice(1) : undefined;
    const decoded = referencePointer(reference);
    if (written === undefined) return;
    if (decoded === undefined || valueAt(document, decoded) === undefined) {
      if (valueAt(document, written) === undefined) return;
      owner['$ref'] = `#${written.replaceAll('%', '%25')}`;
      warn(pointerTo(pointer, '$ref'), `"${reference}" must have its "%" escaped: "${String(owner['$ref'])}".`);
    } else if (isStray(document, decoded)) {
      owner['$ref'] = `#${placeOf(decoded, findSection(pointer) ?? 'schemas')}`;
      warn(
        pointerTo(pointer, '$ref'),
        `"${reference}" should lead to the components; it is read as "${String(owner['$ref'])}".`,
      );
    }
  };
  const placeOf = (stray: string, section: string): string => {
    const known = places.get(stray);
    if (known !== undefined) return known;
    const members = readSection(document, section);
    const name = findName(members, fromPointer(stray).at(-1) ?? '');
    const place = pointerTo('/components', section, name);
    const target = structuredClone(valueAt(document, stray));
    places.set(stray, place);
    members[name] = target;
    visitReferences(target, (reference, pointer, owner) => mend(reference, place + pointer, owner));
    return place;
  };
  visitReferences(document, mend);
}

/** Whether a pointer leads to where nothing is looked for: a field that OpenAPI does not know, of the document or of a schema of 3.0. */
function isStray(document: Fields, pointer: string): boolean {
  const [field = ''] = fromPointer(pointer);
  if (!KNOWN.has(field)) return !field.startsWith('x-');
  return (
    String(document['openapi']).startsWith('3.0') &&
    /^\/components\/schemas\/.*\/(?:definitions|\$defs)\//.test(pointer)
  );
}

function findName(members: Fields, wanted: string): string {
  let name = wanted;
  for (let n = 2; Object.hasOwn(members, name); n += 1) name = `${wanted}${n}`;
  return name;
}

function readSection(document: Fields, section: string): Fields {
  const components = isObject(document['components']) ? document['components'] : {};
  const members = isObject(components[section]) ? components[section] : {};
  components[section] = members;
  document['components'] = components;
  return members;
}
