import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Finding } from './checks/check.ts';
import { checkItems } from './checks/items.ts';
import { checkOperations } from './checks/operations.ts';
import { checkReferences } from './checks/references.ts';
import { checkSchemas } from './checks/schemas.ts';
import { checkStructure } from './checks/structure.ts';
import { checkVersion } from './checks/version.ts';
import type { Contract } from './contract.ts';
import type { OpenApiDocument, SecurityScheme } from './openapi.ts';
import { readOperations } from './operations.ts';
import { isObject } from './pointers.ts';
import { resolveIn } from './references.ts';
import { readSource } from './source.ts';
import { removeSchemaIds } from './schema-ids.ts';
import { SpecError } from './spec-error.ts';
import { toOpenApi31 } from './upgrade.ts';

/**
 * Reads a spec and checks that code can be generated from it.
 *
 * @param file - Path of an OpenAPI 3.0 or 3.1 document in YAML or JSON; it also stands in front of each problem.
 * @throws SpecError listing every problem with its line, where the spec can't be used.
 */
export async function loadContract(file: string): Promise<Contract> {
  const bytes = await readSpec(file);
  const source = readSource(file, bytes.toString('utf8'));
  const refuse = (findings: Finding[]): void => {
    if (findings.length === 0) return;
    throw new SpecError(
      file,
      findings.map(({ pointer, sentence }) => ({ position: source.locate(pointer), sentence })),
    );
  };

  refuse(checkVersion(source.value));
  refuse([...checkReferences(source.value), ...(await checkStructure(source.value))]);
  const document = removeSchemaIds(toOpenApi31(source.value as OpenApiDocument));
  refuse([...checkSchemas(document), ...checkOperations(document), ...checkItems(document)]);

  return {
    document,
    source: basename(file),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    operations: readOperations(document),
    securitySchemes: readSecuritySchemes(document),
    resolve: (value) => resolveIn(document, value).value,
    locate: source.locate,
  };
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file',
  EISDIR: 'This is a folder, not a file',
  EACCES: 'You may not read this file',
};

async function readSpec(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const code = isObject(error) ? String(error['code']) : '';
    const why = unreadable[code] ?? `The file can not be read (${code})`;
    throw new SpecError(file, [
      { position: { line: 1, column: 1 }, sentence: `${why}; name the contract with --spec <file>.` },
    ]);
  }
}

function readSecuritySchemes(document: OpenApiDocument): Map<string, SecurityScheme> {
  const schemes = Object.entries(document.components?.securitySchemes ?? {});
  return new Map(schemes.map(([name, scheme]) => [name, resolveIn(document, scheme).value]));
}
