import { type Contract, type Operation, SpecError } from '@branchline/contract';
import { EXTENSION } from '../asks-for-inspector.ts';
import { escapeText, quote } from '../literals.ts';
import type { InspectorExtension } from './extension.ts';

/** A `const val` of Kotlin. */
export interface Constant {
  name: string;
  type: 'String' | 'Int';
  /** As Kotlin writes it. */
  literal: string;
}

/** What the contract says in words and numbers, by the names that the library knows it by. */
export function listConstants(contract: Contract, inspector: InspectorExtension): Constant[] {
  const { setters, limits, queue, retry } = inspector;
  const ingest = findIngestOperation(contract, inspector);
  return [
    makeText('LIBRARY_NAME', inspector.libraryName),
    makeText('LIBRARY_VERSION', inspector.libraryVersion),
    makeText('INGEST_PATH', ingest.path),
    makeText('API_KEY_HEADER', findApiKeyHeader(contract, ingest)),
    makeText('ENDPOINT_META_DATA', inspector.endpointMetaData),
    ...makeNumbers('', limits),
    makeNumber('MIN_BATCH_SIZE', setters.batchSize.minimum),
    makeNumber('MAX_BATCH_SIZE', setters.batchSize.maximum),
    makeNumber('MIN_BATCH_FLUSH_SECONDS', setters.batchFlushSeconds.minimum),
    makeNumber('MAX_BATCH_FLUSH_SECONDS', setters.batchFlushSeconds.maximum),
    ...makeNumbers('QUEUE_', queue),
    ...makeNumbers('', retry),
  ];
}

/** What takes the batches. */
export function findIngestOperation(contract: Contract, { ingestOperation: wanted }: InspectorExtension): Operation {
  const found = contract.operations.find(({ definition }) => definition.operationId === wanted);
  if (found !== undefined) return found;
  throw makeSpecError(
    contract,
    `/${EXTENSION}/ingestOperation`,
    `No operation has the operationId "${wanted}"; name the one that takes batches.`,
  );
}

/** The server that a contract names by its whole address, as it stands between quotes; a path alone names none. */
export function findDefaultEndpoint({ document }: Contract): string | undefined {
  const urls = document.servers?.map(({ url }) => url).filter((url) => /^https?:\/\/[^{}"$\s]+$/.test(url));
  return urls?.map(escapeText)[0];
}

function findApiKeyHeader(contract: Contract, { security, pointer }: Operation): string {
  const schemes = security
    .flatMap((requirement) => Object.keys(requirement))
    .map((name) => contract.securitySchemes.get(name));
  const header = schemes.find((scheme) => scheme?.type === 'apiKey' && scheme.in === 'header')?.name;
  if (header !== undefined) return header;
  throw makeSpecError(
    contract,
    pointer,
    'The operation that takes batches has no API key in a header; give it such a security scheme.',
  );
}

function makeSpecError(contract: Contract, pointer: string, sentence: string): SpecError {
  return new SpecError(contract.source, [{ position: contract.locate(pointer), sentence }]);
}

function makeText(name: string, value: string): Constant {
  return { name, type: 'String', literal: quote(value) };
}

function makeNumber(name: string, value: number): Constant {
  return { name, type: 'Int', literal: String(value) };
}

/** `maxNameLength: 1024` → `MAX_NAME_LENGTH`. */
function makeNumbers(prefix: string, values: Record<string, number>): Constant[] {
  return Object.entries(values).map(([name, value]) =>
    makeNumber(`${prefix}${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`, value),
  );
}
