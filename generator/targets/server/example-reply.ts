import { sample } from 'openapi-sampler';
import {
  type Contract,
  type DocumentedResponse,
  isObject,
  type MediaTypeObject,
  type Operation,
} from '@branchline/contract';
import { stripParameters, isEventStream, classifyMediaType } from '../../typescript/media-types.ts';
import { findTypes } from '../../typescript/schema-types.ts';

/** A reply that the contract itself gives as an example; the members are those of a reply in `handlers.ts`. */
export interface ExampleReply {
  status: number;
  type?: string;
  headers: Record<string, unknown>;
  body?: unknown;
}

/** An example of an operation's first success; `undefined` where the contract has none, or it would be bytes. */
export function makeExampleReply(contract: Contract, operation: Operation): ExampleReply | undefined {
  const response = findFirstSuccess(operation);
  if (response === undefined) return undefined;
  const status = Number(response.status.replace('default', '200').replace(/XX$/i, '00'));
  const headers = { ...makeRequiredHeaders(contract, response), 'branchline-stub': operation.id };
  const media = Object.entries(response.value.content ?? {});
  if (media.length === 0) return { status, headers };
  for (const [type, object] of media.toSorted(([a], [b]) => rank(a) - rank(b))) {
    const body = makeExampleBody(contract, type, object);
    if (body === undefined) continue;
    return media.length > 1 ? { status, type: stripParameters(type), headers, body } : { status, headers, body };
  }
  return undefined;
}

/** The lowest documented 2xx, else 3xx, else `default`. */
function findFirstSuccess({ responses }: Operation): DocumentedResponse | undefined {
  const byStatus = responses.toSorted((a, b) => (a.status < b.status ? -1 : 1));
  return ['2', '3', 'd'].flatMap((first) => byStatus.filter(({ status }) => status.startsWith(first)))[0];
}

/** JSON says most. */
function rank(mediaType: string): number {
  return ['json', 'text', 'form', 'binary'].indexOf(classifyMediaType(mediaType));
}

function makeExampleBody(contract: Contract, type: string, media: MediaTypeObject): unknown {
  const kind = classifyMediaType(type);
  if (kind === 'binary' || (type.includes('*') && type !== '*/*')) return undefined;
  const written = readExample(contract, media);
  const example =
    (kind === 'json' ? parseExample(contract, media, written) : written) ?? sampleSchema(contract, media.schema);
  if (isEventStream(type)) return example === undefined ? undefined : [{ data: example }];
  return kind === 'json' || typeof example === 'string' ? example : undefined;
}

function readExample(contract: Contract, { example, examples }: MediaTypeObject): unknown {
  if (example !== undefined) return example;
  const [first] = Object.values(examples ?? {});
  const resolved = contract.resolve(first);
  return isObject(resolved) ? resolved['value'] : undefined;
}

/** Many write an example of JSON as a text that holds it. */
function parseExample(contract: Contract, { schema }: MediaTypeObject, example: unknown): unknown {
  const types = findTypes(contract, schema);
  if (typeof example !== 'string' || types.size === 0 || types.has('string')) return example;
  try {
    return JSON.parse(example);
  } catch {
    return undefined;
  }
}

function sampleSchema(contract: Contract, schema: unknown): unknown {
  if (!isObject(schema)) return undefined;
  try {
    return sample(schema, { quiet: true, skipWriteOnly: true, enablePatterns: true }, contract.document);
  } catch {
    // A schema that nothing can be made of is no reason not to generate the rest: the stub says so by a 501.
    return undefined;
  }
}

function makeRequiredHeaders(contract: Contract, { value }: DocumentedResponse): Record<string, unknown> {
  const headers = Object.entries(value.headers ?? {}).map(
    ([name, header]) => [name, contract.resolve(header)] as const,
  );
  return Object.fromEntries(
    headers
      .filter(([, header]) => header.required === true)
      .map(([name, header]) => [name, header.example ?? sampleSchema(contract, header.schema) ?? 'example']),
  );
}
