import http from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Contract,
  isJsonObject,
  type Json,
  mapSchemas,
  type Operation,
  type ParameterObject,
  pointerTo,
  type SchemaValidators,
  schemaValidators,
  toReplySchemas,
  toRequestSchemas,
} from '../../contract/index.ts';
import { createReplySamples, type ReplySamples } from '../../generator/targets/server/example-reply.ts';
import type { Fault, Inputs, Reply, Step } from './faults.ts';

/** The one credential that is right; of HTTP Basic, name and secret. */
export const TOKEN = 'right:token';

export interface RunningServer {
  readonly origin: string;
  requests(): number;
  close(): void;
}

/** A server of any contract that keeps in memory what it is given: plain Node, and nothing of what Branchline generates. */
export async function startServer(
  contract: Contract,
  fault?: { fault: Fault; operation: Operation },
): Promise<RunningServer> {
  const samples = createReplySamples(contract);
  const services = contract.operations.map(
    (operation) => new Service(contract, operation, samples, operation === fault?.operation ? fault.fault : undefined),
  );
  const store: Store = new Map();
  let requests = 0;
  const server = http.createServer(async (request, response) => {
    requests += 1;
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
    const url = new URL(request.url ?? '/', 'http://server');
    const reply = answer(services, { request, url, body: Buffer.concat(chunks) }, store);
    const text = reply.text ?? (reply.body === undefined ? '' : JSON.stringify(reply.body));
    const type = 'type' in reply ? reply.type : 'application/json';
    response.writeHead(reply.status, {
      ...reply.headers,
      ...(text === '' || type === undefined ? {} : { 'content-type': type }),
    });
    response.end(reply.status === 204 ? '' : text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests: () => requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** What was created, by the path of the collection and the id. */
type Store = Map<string, Collection>;

/** By the id. */
type Collection = Map<string, Record<string, unknown>>;

interface Incoming {
  readonly request: http.IncomingMessage;
  readonly url: URL;
  readonly body: Buffer;
}

type Answer = Reply & { headers?: Record<string, string> };

function answer(services: readonly Service[], incoming: Incoming, store: Store): Answer {
  const segments = incoming.url.pathname.split('/');
  const here = services.filter((one) => one.matches(segments)).toSorted((a, b) => a.parameters - b.parameters);
  const best = here.filter((one) => one.parameters === here[0]?.parameters);
  const service = best.find(({ method }) => method === incoming.request.method);
  if (service !== undefined) return service.answer(incoming, segments, store);
  if (best.length === 0) return { status: 404, body: { error: 'Not found.' } };
  const status = best[0]?.refuse(405) ?? { status: 405 };
  return { ...status, headers: { allow: best.map(({ method }) => method).join(', ') } };
}

class Service {
  readonly method: string;
  readonly parameters: number;
  readonly #contract: Contract;
  readonly #operation: Operation;
  readonly #samples: ReplySamples;
  readonly #template: string[];
  readonly #fault: Fault | undefined;
  /** What is there from the start in the collection that it is about, by its id. */
  readonly #first: readonly [string, Record<string, unknown>][];
  readonly #bodies: SchemaValidators;
  readonly #texts: SchemaValidators;
  readonly #replies: SchemaValidators;
  /** No id comes twice, though what had it was deleted. */
  #created = 0;

  constructor(contract: Contract, operation: Operation, samples: ReplySamples, fault: Fault | undefined) {
    const isIgnored = (name: string): boolean => fault?.ignores?.includes(name) === true;
    const requests = mapSchemas(toRequestSchemas(contract.document), (schema) =>
      'in' in schema ? schema : Object.fromEntries(Object.entries(schema).filter(([name]) => !isIgnored(name))),
    );
    this.method = operation.method.toUpperCase();
    this.#contract = contract;
    this.#operation = operation;
    this.#samples = samples;
    this.#fault = fault;
    this.#template = operation.path.split('/');
    const { name = '', example } = this.#findId() ?? {};
    const id = Number.isNaN(Number(example)) ? example : Number(example);
    this.#first = example === undefined ? [] : [[String(example), { id, [name]: id }]];
    this.parameters = this.#template.filter((part) => part.includes('{')).length;
    this.#bodies = schemaValidators(requests);
    this.#texts = schemaValidators(requests, { fromText: true });
    this.#replies = schemaValidators(toReplySchemas(contract.document));
  }

  matches(segments: readonly string[]): boolean {
    return (
      segments.length === this.#template.length &&
      this.#template.every((part, index) => part.includes('{') || part === segments[index])
    );
  }

  answer(incoming: Incoming, segments: readonly string[], store: Store): Reply {
    const read = this.#read(incoming, segments, store);
    if (this.#fault?.crashes?.(read.inputs) === true) return { status: 500, body: { error: 'Oops.' } };
    const reply = this.#refuse(incoming, read) ?? this.#serve(read, store);
    return this.#fault?.answers?.(reply) ?? reply;
  }

  #skips(step: Step): boolean {
    return this.#fault?.skips?.includes(step) === true;
  }

  #read({ url, request, body }: Incoming, segments: readonly string[], store: Store): Read {
    const path = new Map(this.#template.map((part, index) => [part.slice(1, -1), decode(segments[index] ?? '')]));
    const sent = parse(body);
    const isJson = /json/.test(request.headers['content-type'] ?? '');
    const id = decode(segments.at(-1) ?? '');
    const collection = segments.slice(0, -1).join('/');
    const query = this.#operation.parameters.flatMap(({ value }) =>
      value.in === 'query' ? url.searchParams.getAll(value.name) : [],
    );
    const values = [
      ...query,
      ...[...path].flatMap(([name, value]) => (this.#operation.path.includes(`{${name}}`) ? [value] : [])),
    ];
    const isOne = this.#operation.path.endsWith('}');
    return {
      path,
      sent: isJson ? sent : undefined,
      id,
      collection: isOne ? collection : segments.join('/'),
      inputs: {
        values: [...values, ...(isJson ? listValues(sent) : [])],
        hasBody: body.length > 0,
        isFound: !isOne || this.#open(store, collection).has(id),
      },
    };
  }

  #refuse({ request, url, body }: Incoming, { path, sent }: Read): Reply | undefined {
    if (!this.#isAdmitted(request, url)) return this.refuse(401);
    for (const { value: parameter, pointer } of this.#operation.parameters) {
      const texts =
        parameter.in === 'query'
          ? url.searchParams
              .getAll(parameter.name)
              .flatMap((text) => (isList(this.#contract, parameter.schema) ? text.split(',') : [text]))
          : [path.get(parameter.name) ?? request.headers[parameter.name.toLowerCase()]].filter(
              (one) => one !== undefined,
            );
      if (parameter.in === 'cookie' || (parameter.in === 'query' && parameter.style === 'deepObject')) continue;
      if (texts.length === 0) {
        if (parameter.required === true && !this.#skips('required parameters')) return this.refuse(400);
        continue;
      }
      const exact = texts.map((text) => (typeof text === 'string' ? keepWithin(text) : text));
      const value = isList(this.#contract, parameter.schema) ? exact : exact[0];
      const isValid = this.#texts(pointerTo(pointer, 'schema'))(value);
      if (parameter.schema !== undefined && !isValid && !(parameter.in === 'query' && this.#skips('parameters')))
        return this.refuse(400);
    }
    return this.#refuseBody(request, body, sent);
  }

  #refuseBody(request: http.IncomingMessage, body: Buffer, sent: unknown): Reply | undefined {
    const { requestBody } = this.#operation;
    if (requestBody === undefined || this.#skips('body')) return undefined;
    if (body.length === 0) return requestBody.value.required === true ? this.refuse(400) : undefined;
    const type = (request.headers['content-type'] ?? '').split(';')[0] ?? '';
    const known = new Set(Object.keys(requestBody.value.content).map((name) => name.split(';')[0]));
    if (!known.has(type) && !known.has('*/*')) return this.refuse(415);
    if (!/[/+]json$/.test(type)) return undefined;
    if (sent === undefined) return this.refuse(400);
    const schema = requestBody.value.content[type]?.schema;
    if (schema === undefined) return undefined;
    return this.#bodies(requestBody.pointer + pointerTo('', 'content', type, 'schema'))(sent)
      ? undefined
      : this.refuse(400);
  }

  #isAdmitted({ headers }: http.IncomingMessage, url: URL): boolean {
    const { security } = this.#operation;
    if (security.length === 0 || this.#skips('credentials')) return true;
    return security.some((requirement) =>
      Object.keys(requirement).every((name) => {
        const { type, in: place, name: key = '' } = this.#contract.securitySchemes.get(name) ?? { type: 'http' };
        const cookie = new Map(
          (headers.cookie ?? '').split('; ').map((pair) => [pair.split('=')[0], pair.split('=')[1]]),
        );
        const given =
          type !== 'apiKey'
            ? headers.authorization?.replace(/^\w+ /, '')
            : place === 'query'
              ? url.searchParams.get(key)
              : place === 'cookie'
                ? decode(cookie.get(key) ?? '')
                : headers[key.toLowerCase()]?.toString();
        if (given === undefined || given === null || given === '') return false;
        return this.#skips('wrong credentials') || given === TOKEN || given === Buffer.from(TOKEN).toString('base64');
      }),
    );
  }

  #serve({ sent, id, collection, inputs, path }: Read, store: Store): Reply {
    const isOne = this.#operation.path.endsWith('}');
    const kept = this.#open(store, collection);
    if (isOne && !inputs.isFound) return this.refuse(404);
    if (isOne && this.method === 'DELETE' && !this.#skips('delete')) kept.delete(id);
    if (isOne && (this.method === 'PUT' || this.method === 'PATCH') && !this.#skips('update'))
      kept.set(id, { ...kept.get(id), ...Object(sent) });
    const parameter = this.#template.at(-1)?.slice(1, -1) ?? '';
    if (!isOne && this.method === 'POST') return this.#create(Object(sent), kept, collection);
    return this.#succeed(isOne ? { ...identify(parameter, path), ...kept.get(id) } : undefined, [...kept.values()]);
  }

  /** The path parameter by which one thing of the collection that it is about is asked for. */
  #findId(): ParameterObject | undefined {
    const collection = this.#template.at(-1)?.endsWith('}') === true ? this.#template.slice(0, -1) : this.#template;
    const item = this.#contract.operations.find(({ path }) => {
      const parts = path.split('/');
      return (
        parts.length === collection.length + 1 &&
        path.endsWith('}') &&
        collection.every((part, index) => part === parts[index])
      );
    });
    return item?.parameters.find(({ value }) => item.path.endsWith(`{${value.name}}`))?.value;
  }

  #open(store: Store, collection: string): Collection {
    const kept = store.get(collection) ?? new Map(this.#first);
    store.set(collection, kept);
    return kept;
  }

  #create(sent: Record<string, unknown>, kept: Collection, collection: string): Reply {
    const parameter = this.#findId();
    if (parameter === undefined) return this.#succeed(sent, []);
    const isNumber = ['integer', 'number'].includes(Object(this.#contract.resolve(parameter?.schema)).type);
    const own = sent[parameter?.name ?? ''] ?? (isNumber ? sent['id'] : undefined);
    this.#created += 1;
    const number = this.#created;
    const id = String(own ?? (isNumber ? number : `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`));
    const resource = { ...sent, ...(own === undefined ? { id: isNumber ? Number(id) : id } : {}) };
    if (!this.#skips('store')) kept.set(id, resource);
    return {
      ...this.#succeed(resource, []),
      headers: { location: `${collection}/${encodeURIComponent(id)}` },
    } as Reply;
  }

  /** The documented success, with as much of what is kept as fits its schema. */
  #succeed(resource: Record<string, unknown> | undefined, all: readonly Record<string, unknown>[]): Reply {
    const response = this.#operation.responses.find(({ status }) => status.startsWith('2'));
    const status = Number(response?.status.replace(/XX$/i, '00') ?? 200);
    const [type, media] = Object.entries(response?.value.content ?? {}).find(([name]) => name.includes('json')) ?? [];
    if (response === undefined || type === undefined) return { status };
    if (media?.schema === undefined) return { status, type, body: {} };
    const pointer = pointerTo(response.pointer, 'content', type, 'schema');
    const sample = this.#samples.samples.of(pointer, 'full');
    const fits = (value: unknown): boolean => this.#replies(pointer)(value);
    if (isJsonObject(sample) && resource !== undefined)
      return { status, type, body: mergeFitting(sample, resource, fits) };
    if (Array.isArray(sample)) {
      const items = all.map((one) => mergeFitting(sample[0] as Record<string, Json>, one, (item) => fits([item])));
      return { status, type, body: items.length > 0 && fits(items) ? items : sample };
    }
    return { status, type, body: sample };
  }

  /** As documented for the status. */
  refuse(status: number): Reply {
    const response = this.#operation.responses.find((one) => one.status === String(status));
    const type = Object.keys(response?.value.content ?? {}).find((name) => name.includes('json'));
    if (response === undefined || type === undefined) return { status, body: { error: 'No.' } };
    const body = this.#samples.samples.of(pointerTo(response.pointer, 'content', type, 'schema'), 'full');
    return { status, type, body };
  }
}

interface Read {
  readonly path: ReadonlyMap<string, string>;
  readonly sent: unknown;
  readonly id: string;
  readonly collection: string;
  readonly inputs: Inputs;
}

/** The id that a resource shows is the one that it is kept by. */
function identify(parameter: string, path: ReadonlyMap<string, string>): Record<string, unknown> {
  const value = path.get(parameter);
  return value === undefined ? {} : { [parameter]: /^\d{1,15}$/.test(value) ? Number(value) : value };
}

function mergeFitting(
  sample: Record<string, Json>,
  kept: Record<string, unknown>,
  fits: (value: unknown) => boolean,
): unknown {
  let whole: Record<string, unknown> = sample;
  for (const [name, value] of Object.entries(kept)) {
    // In what is nested there may be fields that are for requests only.
    const isPlain = typeof value !== 'object' || value === null;
    if (!isPlain || !(name in sample || name === 'id')) continue;
    const candidates = [value, String(value)].map((one) => ({ ...whole, [name]: one }));
    whole = candidates.find((one) => fits(one)) ?? whole;
  }
  return whole;
}

const INT64 = 2n ** 63n;
/** Next to it, among the numbers of JavaScript. */
const NEAR_INT64 = 2 ** 63 - 1_024;

/** An integer that a number of JavaScript can't hold exactly is kept on its side of the bounds of int64. */
function keepWithin(text: string): string {
  if (!/^-?\d{16,}$/.test(text)) return text;
  const exact = BigInt(text);
  if (exact >= INT64 || exact < -INT64) return exact > 0n ? '1e30' : '-1e30';
  return exact > BigInt(NEAR_INT64) ? String(BigInt(NEAR_INT64)) : text;
}

function isList(contract: Contract, schema: unknown): boolean {
  return Object(contract.resolve(schema)).type === 'array';
}

function listValues(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return [value, ...Object.values(value).flatMap(listValues)];
}

function parse(body: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' ? Number(keepWithin(context?.source ?? String(value))) : value,
    );
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
