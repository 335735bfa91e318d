import { createRequire } from 'node:module';
import type { GlobalContext, OpenAPI3, OpenAPITSOptions } from 'openapi-typescript';
import type TypeScript from 'typescript';

// As CommonJS: a module that imports the compiler has Node search nine megabytes for what they export, which takes longer than to
// load them. And by its parts: what is left out bundles and lints the document, which has been checked by now.
const require = createRequire(import.meta.url);

/** The TypeScript compiler. */
export const ts = require('typescript') as typeof TypeScript;
const transformSchema = require('openapi-typescript/dist/transform/index.cjs') as Library['transformSchema'];
const { scanDiscriminators, resolveRef } = require('openapi-typescript/dist/lib/utils.cjs') as Library;
const { astToString } = require('openapi-typescript/dist/lib/ts.cjs') as Library;

type Library = Omit<typeof import('openapi-typescript'), 'transformSchema'> & {
  transformSchema(document: OpenAPI3, context: Omit<GlobalContext, 'redoc'>): TypeScript.Node[];
};

/** The types of a document as openapi-typescript makes them; it marks the document while it does. */
export function printOpenApiTypes(document: OpenAPI3, transform: OpenAPITSOptions['transform']): string {
  const types = transformSchema(document, {
    additionalProperties: false,
    alphabetize: false,
    arrayLength: false,
    defaultNonNullable: false,
    discriminators: scanDiscriminators(document, { silent: true }),
    emptyObjectsUnknown: true,
    enum: false,
    enumValues: false,
    conditionalEnums: false,
    dedupeEnums: false,
    excludeDeprecated: false,
    exportType: false,
    immutable: false,
    rootTypes: false,
    rootTypesNoSchemaPrefix: false,
    rootTypesKeepCasing: false,
    injectFooter: [],
    pathParamsAsTypes: false,
    postTransform: undefined,
    propertiesRequiredByDefault: false,
    silent: true,
    transform,
    transformProperty: undefined,
    makePathsEnum: false,
    generatePathParams: false,
    readWriteMarkers: false,
    resolve: (reference) => resolveRef(document, reference, { silent: true }),
  });
  return astToString(types);
}
