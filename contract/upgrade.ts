import { upgrade } from '@scalar/openapi-upgrader';
import { DATA_FIELDS } from './data-fields.ts';
import type { OpenApiDocument } from './openapi.ts';
import { isObject, referencePointer, valueAt } from './pointers.ts';
import { restoreFormFields } from './swagger-forms.ts';

/** A field called `example` is renamed in the maps below while the upgrader runs, as it takes it for an OpenAPI example. */
const MASK = '\u0000example';
const nameMaps = new Set(['properties', 'patternProperties', 'schemas', 'parameters', 'headers', 'responses']);

/** Turns a Swagger 2.0 document into an OpenAPI 3.1 one; anything else passes unchanged. */
export function fromSwagger(document: unknown): unknown {
  if (!isObject(document) || !isSwagger2(document['swagger']) || !isObject(document['paths'])) return document;
  const whole = { ...document, swagger: '2.0', paths: inlineBodies(document, document['paths']) };
  const openApi30 = upgrade(renameInMaps(whole, 'example', MASK), '3.0');
  restoreFormFields(whole, openApi30);
  return finishUpgrade(renameInMaps(upgrade(openApi30, '3.1'), MASK, 'example'));
}

/** Whether a document whose `swagger` is this is of version 2.0. */
export function isSwagger2(version: unknown): boolean {
  return /^2(?:\.0)?$/.test(String(version));
}

/** The upgrader makes a body of parameters where they stand; those that are referred to would be lost. */
function inlineBodies(document: Record<string, unknown>, owner: object): object {
  return Object.fromEntries(
    Object.entries(owner).map(([field, value]) => {
      if (field === 'parameters' && Array.isArray(value)) return [field, value.map((one) => inlineBody(document, one))];
      return [
        field,
        isObject(value) && !Array.isArray(value) && field !== 'responses' ? inlineBodies(document, value) : value,
      ];
    }),
  );
}

function inlineBody(document: Record<string, unknown>, parameter: unknown): unknown {
  const reference = isObject(parameter) ? parameter['$ref'] : undefined;
  const target = typeof reference === 'string' ? valueAt(document, referencePointer(reference) ?? '') : undefined;
  return isObject(target) && (target['in'] === 'body' || target['in'] === 'formData') ? target : parameter;
}

/** Turns a valid OpenAPI 3.0 document into a 3.1 one; a 3.1 document passes unchanged. */
export function toOpenApi31(document: OpenApiDocument): OpenApiDocument {
  if (!document.openapi.startsWith('3.0')) return document;
  return renameInMaps(upgrade(renameInMaps(document, 'example', MASK), '3.1'), MASK, 'example');
}

/** A copy. */
function renameInMaps(root: object, from: string, to: string): OpenApiDocument {
  const copy = (value: unknown, isNameMap: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => copy(item, false));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        isNameMap && name === from ? to : name,
        copy(member, nameMaps.has(name)),
      ]),
    );
  };
  return copy(root, false) as OpenApiDocument;
}

/**
 * Writes as OpenAPI does what the upgrader leaves as Swagger has it: the property that tells schemas apart, and how lists in headers are
 * written, for which OpenAPI has one way. Fields that are undefined go.
 *
 * @param map - The field that holds this part, where its own fields are names.
 * @param isHeader - Whether this part is a header.
 */
function finishUpgrade(part: unknown, map = '', isHeader = false): unknown {
  if (Array.isArray(part)) return part.map((item) => finishUpgrade(item));
  if (!isObject(part)) return part;
  const fields = Object.entries(part).filter(
    ([name, value]) => value !== undefined && !(isHeader && name === 'collectionFormat'),
  );
  return Object.fromEntries(
    fields.map(([name, value]) => {
      if (map !== '') return [name, finishUpgrade(value, '', map === 'headers')];
      if (name === 'discriminator' && typeof value === 'string') return [name, { propertyName: value }];
      if (DATA_FIELDS.has(name)) return [name, value];
      return [name, finishUpgrade(value, nameMaps.has(name) ? name : '')];
    }),
  );
}
