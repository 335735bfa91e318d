import type { TypeNode } from 'typescript';
import { type Contract, EACH_EXTENSION, isObject } from '@branchline/contract';
import { ToolError } from '../tool-error.ts';
import { isFileMark } from './multipart.ts';
import { printOpenApiTypes, ts } from './openapi-types.ts';
import { makeTypesDocument } from './types-document.ts';

/**
 * The contract's schemas and operations as the server sees them: what its handlers check item by item comes unchecked.
 *
 * @param runtime - What the file imports the runtime from.
 */
export function printServerTypes(contract: Contract, runtime: string): string {
  const types = printTypes(contract, 'UploadedFile', (schema) =>
    isCheckedItemwise(schema) ? makeUnknownArray() : undefined,
  );
  const imports = /\bUploadedFile\b/.test(types) ? `import type { UploadedFile } from '${runtime}';\n\n` : '';
  return imports + types;
}

/** The contract's schemas and operations as a client sees them. */
export function printClientTypes(contract: Contract): string {
  return printTypes(contract, 'Blob', () => undefined);
}

/**
 * Made by openapi-typescript.
 *
 * @param file - The type of a file that is sent in a form.
 */
function printTypes(contract: Contract, file: string, transform: (schema: unknown) => TypeNode | undefined): string {
  return makeTypes(contract, (schema) =>
    isFileMark(schema) ? ts.factory.createTypeReferenceNode(file) : transform(schema),
  ).replace(
    withRequired,
    `type WithRequired<T, K extends PropertyKey> = T & {
    [P in K & keyof NonNullable<T>]-?: NonNullable<T>[P];
};`,
  );
}

function makeTypes(contract: Contract, transform: (schema: unknown) => TypeNode | undefined): string {
  try {
    return printOpenApiTypes(makeTypesDocument(contract), transform);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolError(`openapi-typescript can't make the types of this contract: ${reason}`);
  }
}

/** openapi-typescript's own does not compile where a schema that may be null, or a union, is asked for further fields. */
const withRequired = /^type WithRequired<[^]*?^\};$/m;

/** The wiring lets the items of these arrays pass; the handler checks them one by one. */
function isCheckedItemwise(schema: unknown): boolean {
  return isObject(schema) && EACH_EXTENSION in schema;
}

function makeUnknownArray(): TypeNode {
  return ts.factory.createArrayTypeNode(ts.factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword));
}
