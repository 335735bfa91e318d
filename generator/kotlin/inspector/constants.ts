import { type Contract, type Operation, SpecError } from '@branchline/contract';
import { EXTENSION, type InspectorExtension } from './extension.ts';

/** A `const val` of Kotlin. */
export interface Constant {
  name: string;
  type: 'String' | 'Int';
  /** As Kotlin writes it. */
  literal: string;
}

/** What the contract says in words and numbers, by the names that the library knows it by. */
export function constantsOf(contract: Contract, inspector: InspectorExtension): Constant[] {
  const { setters, limits, queue, retry } = inspector;
  const ingest = ingestOperation(contract, inspector);
  return [
    word('LIBRARY_NAME', inspector.libraryName),
    word('LIBRARY_VERSION', inspector.libraryVersion),
    word('INGEST_PATH', ingest.path),
    word('API_KEY_HEADER', apiKeyHeader(contract, ingest)),
    word('ENDPOINT_META_DATA', inspector.endpointMetaData),
    ...numbers('', limits),
    number('MIN_BATCH_SIZE', setters.batchSize.minimum),
    number('MAX_BATCH_SIZE', setters.batchSize.maximum),
    number('MIN_BATCH_FLUSH_SECONDS', setters.batchFlushSeconds.minimum),
    number('MAX_BATCH_FLUSH_SECONDS', setters.batchFlushSeconds.maximum),
    ...numbers('QUEUE_', queue),
    ...numbers('', retry),
  ];
}

/** What takes the batches. */
export function ingestOperation(contract: Contract, { ingestOperation: wanted }: InspectorExtension): Operation {
  const found = contract.operations.find(({ definition }) => definition.operationId === wanted);
  if (found !== undefined) return found;
  throw refusal(
    contract,
    `/${EXTENSION}/ingestOperation`,
    `No operation has the operationId "${wanted}"; name the one that takes batches.`,
  );
}

/** The server that a contract names by its whole address; a path alone names none. */
export function defaultEndpoint({ document }: Contract): string | undefined {
  return document.servers?.map(({ url }) => url).find((url) => /^https?:\/\/[^{}"$\s]+$/.test(url));
}

function apiKeyHeader(contract: Contract, { security, pointer }: Operation): string {
  const schemes = security
    .flatMap((requirement) => Object.keys(requirement))
    .map((name) => contract.securitySchemes.get(name));
  const header = schemes.find((scheme) => scheme?.type === 'apiKey' && scheme.in === 'header')?.name;
  if (header !== undefined) return header;
  throw refusal(
    contract,
    pointer,
    'The operation that takes batches has no API key in a header; give it such a security scheme.',
  );
}

function refusal(contract: Contract, pointer: string, sentence: string): SpecError {
  return new SpecError(contract.source, [{ position: contract.locate(pointer), sentence }]);
}

function word(name: string, value: string): Constant {
  return { name, type: 'String', literal: JSON.stringify(value).replaceAll('$', '\\$') };
}

function number(name: string, value: number): Constant {
  return { name, type: 'Int', literal: String(value) };
}

/** `maxNameLength: 1024` → `MAX_NAME_LENGTH`. */
function numbers(prefix: string, values: Record<string, number>): Constant[] {
  return Object.entries(values).map(([name, value]) =>
    number(`${prefix}${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`, value),
  );
}
