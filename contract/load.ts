import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { isWebAddress, readBytes, readFileBytes, readRegularFileBytes, UserError } from '@branchline/command-line';
import { fileAddresses, remoteAddresses } from './addresses.ts';
import { bundle } from './bundle.ts';
import type { Finding } from './checks/check.ts';
import { checkAnchors } from './checks/anchors.ts';
import { checkApplications } from './checks/applications.ts';
import { checkCycles } from './checks/cycles.ts';
import { checkItems } from './checks/items.ts';
import { checkOperations } from './checks/operations.ts';
import { checkReferences } from './checks/references.ts';
import { checkRepetitions } from './checks/repetitions.ts';
import { checkSchemas } from './checks/schemas.ts';
import { checkStructure } from './checks/structure.ts';
import { checkVersion } from './checks/version.ts';
import type { Contract, Position, SpecProblem } from './contract.ts';
import { foldItemSchemas } from './item-schemas.ts';
import { mendCycles } from './mending/cycles.ts';
import { mendFaults } from './mending/faults.ts';
import { mendInvalidSchemas, mendStructure } from './mending/leftovers.ts';
import type { OpenApiDocument, SecurityScheme } from './openapi.ts';
import { readOperations } from './operations.ts';
import { isObject } from './pointers.ts';
import { resolveIn } from './references.ts';
import { readRemote } from './remote.ts';
import { readSource } from './source.ts';
import { removeSchemaIds } from './schema-ids.ts';
import { SpecError } from './spec-error.ts';
import { toSwaggerPointer } from './swagger-pointers.ts';
import { explainUnusable } from './uncheckable.ts';
import { fromSwagger, toOpenApi31 } from './upgrade.ts';

export interface LoadOptions {
  /** Refuses also what is wrong and hurts nobody, which is mended and warned of otherwise. Defaults to false. */
  strict?: boolean | undefined;
  /** Reads the file and those that it refers to. Defaults to what is on the disk. */
  read?: ((file: string) => Promise<Buffer>) | undefined;
}

/** Reads the contract from standard input. */
const STDIN = '-';

/** How many other documents one on the web may refer to. */
const MOST_REMOTE = 200;

/**
 * Reads a spec and checks that code can be generated from it.
 *
 * @param file - Path or URL of an OpenAPI 3.0 or 3.1 document, or a Swagger 2.0 one, in YAML or JSON, or `-` for standard input; it
 *   also stands in front of each problem.
 * @throws SpecError listing the problems with their lines, where the spec can't be used.
 */
export function loadContract(file: string, options: LoadOptions = {}): Promise<Contract> {
  return explainUnusable(file, () => load(file, options));
}

async function load(file: string, { strict = false, read = readFrom(file) }: LoadOptions): Promise<Contract> {
  const { bytes, url } = await readSpec(file, read);
  const source = readSource(file, bytes.toString('utf8'), { strict });
  foldItemSchemas(source.value);
  const addresses = url === undefined ? fileAddresses(file) : remoteAddresses(url);
  const warnings: SpecProblem[] = [...source.warnings];
  const files = new Map([[file, bytes]]);
  const parts = await bundle(addresses, source, async (other) => {
    const text = await read(other).catch(() => undefined);
    if (text === undefined) return undefined;
    files.set(other, text);
    const part = readSource(other, text.toString('utf8'), { strict });
    foldItemSchemas(part.value);
    return part;
  });
  const isSwagger = isObject(source.value) && 'swagger' in source.value;
  const locate = (pointer: string): Position => parts.locate(isSwagger ? toSwaggerPointer(pointer) : pointer);
  const warned = new Set<string>();
  const warn = (pointer: string, sentence: string): void => {
    // A mock makes an answer, and may warn of it, with each request.
    if (warned.has(pointer + sentence)) return;
    warned.add(pointer + sentence);
    warnings.push({ position: locate(pointer), sentence });
  };
  const refuse = (findings: Finding[]): void => {
    if (findings.length === 0) return;
    throw new SpecError(
      file,
      findings.map(({ pointer, sentence }) => ({ position: locate(pointer), sentence })),
    );
  };

  refuse([...parts.problems]);
  const written = fromSwagger(source.value);
  if (!strict) mendFaults(written, warn);
  refuse(checkVersion(written));
  refuse(checkReferences(written));
  refuse(strict ? await checkStructure(written) : await mendStructure(written, warn));
  const document = removeSchemaIds(toOpenApi31(written as OpenApiDocument));
  if (!strict) {
    mendInvalidSchemas(document, warn);
    mendCycles(document, warn);
    refuse(checkReferences(document));
  }
  refuse([
    ...checkSchemas(document),
    ...checkRepetitions(document),
    ...checkAnchors(document),
    ...checkCycles(document),
    ...checkApplications(document),
    ...checkOperations(document),
    ...checkItems(document),
  ]);
  if (strict) refuse(listFaults(written));

  return {
    document,
    source: nameSource(file),
    sha256: sha256(...files.values()),
    files: new Map([...files].map(([path, one]) => [path, sha256(one)])),
    operations: readOperations(document),
    securitySchemes: readSecuritySchemes(document),
    resolve: (value) => resolveIn(document, value).value,
    locate,
    warnings,
    warn,
  };
}

function sha256(...parts: readonly Buffer[]): string {
  return parts.reduce((hash, one) => hash.update(one), createHash('sha256')).digest('hex');
}

/** What would be mended, and refused where it is strict. */
function listFaults(document: unknown): Finding[] {
  const faults: Finding[] = [];
  mendFaults(structuredClone(document), (pointer, sentence) => faults.push({ pointer, sentence }));
  return faults;
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file',
  EISDIR: 'This is a folder, not a file',
  EACCES: 'You may not read this file',
};

async function readSpec(
  file: string,
  read: (file: string) => Promise<Buffer>,
): Promise<{ bytes: Buffer; url?: string }> {
  if (isWebAddress(file)) refuseUserInfo(file);
  try {
    if (isWebAddress(file)) return await readRemote(file, { elsewhere: true });
    return { bytes: file === STDIN ? await readBytes(process.stdin) : await read(file) };
  } catch (error) {
    if (error instanceof UserError)
      throw new SpecError(file, [{ position: { line: 1, column: 1 }, sentence: error.message }]);
    const code = isObject(error) ? String(error['code']) : '';
    const why = unreadable[code] ?? `The file can not be read (${code})`;
    throw new SpecError(file, [
      {
        position: { line: 1, column: 1 },
        sentence: `${why}; name the contract by its path (generate and contract test take it as --spec <file>).`,
      },
    ]);
  }
}

/** Nothing is fetched with a password in the URL, and the URL stands in front of each problem, in generated code and in reports. */
function refuseUserInfo(file: string): void {
  const url = URL.parse(file);
  if (url === null ? !file.includes('@') : url.username === '' && url.password === '') return;
  throw new UserError(
    'The URL of a contract can hold no user and password: save the contract in a file, and name that.',
  );
}

/** Reads the documents that one refers to from where it came from. */
function readFrom(file: string): (name: string) => Promise<Buffer> {
  if (!isWebAddress(file)) return (path) => (path === file ? readFileBytes(path) : readRegularFileBytes(path));
  let read = 0;
  return async (url) => {
    read += 1;
    if (read > MOST_REMOTE) throw new UserError(`It refers to more than ${MOST_REMOTE} others.`);
    return (await readRemote(url, { elsewhere: false })).bytes;
  };
}

function nameSource(file: string): string {
  if (file === STDIN) return 'stdin';
  return isWebAddress(file) ? basename(new URL(file).pathname) || new URL(file).hostname : basename(file);
}

function readSecuritySchemes(document: OpenApiDocument): Map<string, SecurityScheme> {
  const schemes = Object.entries(document.components?.securitySchemes ?? {});
  return new Map(schemes.map(([name, scheme]) => [name, resolveIn(document, scheme).value]));
}
