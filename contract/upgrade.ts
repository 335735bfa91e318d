import { upgrade } from '@scalar/openapi-upgrader';
import type { OpenApiDocument } from './openapi.ts';
import { isObject } from './pointers.ts';

/** A field called `example` is renamed in the maps below while the upgrader runs, as it takes it for an OpenAPI example. */
const MASK = '\u0000example';
const nameMaps = new Set(['properties', 'patternProperties', 'schemas', 'parameters', 'headers', 'responses']);

/** Turns a Swagger 2.0 document into an OpenAPI 3.1 one; anything else passes unchanged. */
export function fromSwagger(document: unknown): unknown {
  if (!isObject(document) || String(document['swagger']) !== '2.0' || !isObject(document['paths'])) return document;
  return renameInMaps(upgrade(renameInMaps({ ...document, swagger: '2.0' }, 'example', MASK), '3.1'), MASK, 'example');
}

/** Turns a valid OpenAPI 3.0 document into a 3.1 one; a 3.1 document passes unchanged. */
export function toOpenApi31(document: OpenApiDocument): OpenApiDocument {
  if (!document.openapi.startsWith('3.0')) return document;
  return renameInMaps(upgrade(renameInMaps(document, 'example', MASK), '3.1'), MASK, 'example');
}

function renameInMaps(root: object, from: string, to: string): OpenApiDocument {
  const renamed: OpenApiDocument = JSON.parse(JSON.stringify(root), (key, value: unknown) => {
    if (!nameMaps.has(key) || !isObject(value) || Array.isArray(value) || !Object.hasOwn(value, from)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name === from ? to : name, member]));
  });
  return renamed;
}
