import { findChildren, readChoice } from '../../discriminators.ts';
import type { OpenApiDocument } from '../../openapi.ts';
import { isObject, pointerTo, referencePointer, valueAt } from '../../pointers.ts';
import { type Pair, print, type SchemaChange } from './change.ts';
import type { Comparison, Step } from './comparison.ts';
import { findKeyword, type Part, type View } from './view.ts';

/** What a discriminator calls the alternatives of a schema, by their references. */
export function readValuesOf(
  document: OpenApiDocument,
  owner: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, readonly string[]> {
  const choice = readChoice(document, owner);
  return new Map(choice?.branches.map(({ reference, values }) => [reference, values]));
}

/** A discriminator, the schemas that it chooses from by the values that mean them, and where it stands. */
interface Discriminator {
  property: string;
  targets: ReadonlyMap<string, string>;
  pointer: string;
}

/** Changes of the discriminator of a schema: of its property, and of the values that mean a schema. */
export function compareDiscriminators({ documents, views }: Comparison, pair: Pair): Step {
  const [before, after] = [readDiscriminator(documents.old, pair.old), readDiscriminator(documents.new, pair.new)];
  if (before === undefined && after === undefined) return { changes: [], inner: [] };
  if (after === undefined) {
    const sentence = `the property ${print(before?.property)} does not decide between the alternatives any more`;
    return {
      changes: [{ name: 'discriminator-removed', sentence, side: 'old', pointer: before?.pointer ?? '' }],
      inner: [],
    };
  }
  const place = { side: 'new', pointer: after.pointer } as const;
  if (before === undefined) {
    const sentence = `the property ${print(after.property)} decides between the alternatives now`;
    return { changes: [{ name: 'discriminator-added', sentence, ...place }], inner: [] };
  }
  if (before.property !== after.property) {
    const sentence = `the property ${print(after.property)} decides between the alternatives, not ${print(before.property)}`;
    return { changes: [{ name: 'discriminator-property-name-changed', sentence, ...place }], inner: [] };
  }
  const gone = [...before.targets.keys()].filter((value) => !after.targets.has(value));
  const come = [...after.targets.keys()].filter((value) => !before.targets.has(value));
  const changes = [
    ...gone.map((value): SchemaChange => ({
      name: 'discriminator-mapping-deleted',
      sentence: `${print(value)} of the property ${print(before.property)} means no alternative any more`,
      side: 'old',
      pointer: before.pointer,
    })),
    ...come.map((value): SchemaChange => ({
      name: 'discriminator-mapping-added',
      sentence: `${print(value)} of the property ${print(after.property)} means an alternative now`,
      ...place,
    })),
  ];
  const kept = [...before.targets].flatMap(([value, from]) => {
    const to = after.targets.get(value);
    if (to === undefined) return [];
    const [old, now] = [
      { value: valueAt(documents.old, from), pointer: from },
      { value: valueAt(documents.new, to), pointer: to },
    ];
    return [{ old: views.old(old), new: views.new(now) }];
  });
  return { changes, inner: kept };
}

function readDiscriminator(document: OpenApiDocument, view: View): Discriminator | undefined {
  const [found] = findKeyword(view, 'discriminator');
  if (found === undefined || !isObject(found.value) || typeof found.value['propertyName'] !== 'string')
    return undefined;
  return { property: found.value['propertyName'], targets: readTargets(document, found.part), pointer: found.pointer };
}

/** Where each value of a discriminator without alternatives leads: to a schema that is made of the one it stands in. */
function readTargets(document: OpenApiDocument, part: Part): Map<string, string> {
  // Alternatives are told of by themselves.
  if ('oneOf' in part.schema || 'anyOf' in part.schema) return new Map();
  const discriminator = isObject(part.schema['discriminator']) ? part.schema['discriminator'] : {};
  const mapping = Object.entries(isObject(discriminator['mapping']) ? discriminator['mapping'] : {});
  const written = mapping.map(([value, target]): [string, string] => [value, findTarget(String(target))]);
  const [, name] = /^\/components\/schemas\/([^/]+)$/.exec(part.pointer) ?? [];
  const children = name === undefined ? [] : findChildren(document.components?.schemas ?? {}, name);
  const implied = children
    .map((child): [string, string] => [child, pointerTo('/components/schemas', child)])
    .filter(([, pointer]) => !written.some(([, target]) => target === pointer));
  return new Map([...written, ...implied].filter(([, pointer]) => valueAt(document, pointer) !== undefined));
}

function findTarget(target: string): string {
  return referencePointer(target) ?? pointerTo('/components/schemas', target);
}
