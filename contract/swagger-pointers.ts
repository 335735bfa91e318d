const MOVED: readonly [RegExp, string][] = [
  [/^\/components\/schemas\//, '/definitions/'],
  [/^\/components\/(parameters|responses)\//, '/$1/'],
  [/^\/components\/securitySchemes\//, '/securityDefinitions/'],
  [/(\/responses\/[^/]+)\/content\/[^/]+\/schema/, '$1/schema'],
];

/** Where in a Swagger 2.0 document stands what its OpenAPI version has at a pointer, or begins the same. */
export function toSwaggerPointer(pointer: string): string {
  return MOVED.reduce((moved, [from, to]) => moved.replace(from, to), pointer);
}
