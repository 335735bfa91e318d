import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import type { Contract } from '../contract.ts';
import { eachExtension } from '../items.ts';
import { isObject } from '../pointers.ts';
import { typesDocument } from './types-document.ts';

/** The contract's schemas and operations as types, made by openapi-typescript. */
export async function typesFile(contract: Contract): Promise<string> {
  const ast = await openapiTS(typesDocument(contract), {
    silent: true,
    defaultNonNullable: false,
    transform: (schema) => (isJudgedByItem(schema) ? unknownArray() : undefined),
  });
  return astToString(ast);
}

/** The wiring lets the items of these arrays pass; the handler checks them one by one. */
function isJudgedByItem(schema: unknown): boolean {
  return isObject(schema) && eachExtension in schema;
}

function unknownArray(): ts.TypeNode {
  return ts.factory.createArrayTypeNode(ts.factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword));
}
