import { upgrade } from '@scalar/openapi-upgrader';
import type { OpenApiDocument } from './openapi.ts';
import { isObject, referencePointer, valueAt } from './pointers.ts';

/** A field called `example` is renamed in the maps below while the upgrader runs, as it takes it for an OpenAPI example. */
const MASK = '\u0000example';
const nameMaps = new Set(['properties', 'patternProperties', 'schemas', 'parameters', 'headers', 'responses']);

/** Turns a Swagger 2.0 document into an OpenAPI 3.1 one; anything else passes unchanged. */
export function fromSwagger(document: unknown): unknown {
  if (!isObject(document) || !isSwagger2(document['swagger']) || !isObject(document['paths'])) return document;
  const whole = { ...document, swagger: '2.0', paths: inlineBodies(document, document['paths']) };
  return renameInMaps(upgrade(renameInMaps(whole, 'example', MASK), '3.1'), MASK, 'example');
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
