import contract from '../../server/generated/contract.json' with { type: 'json' };
import { findValue, isObject, readReference } from '../../runtime/pointers.ts';

/** All that the schemas of routes refer to, for Fastify's `addSchema`. */
export const contractSchema = prefixReferences({ $id: 'contract', components: contract.components });

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: object;
}

/** What Fastify takes as the schemas of a route. */
export interface RouteSchema {
  params: object;
  querystring: object;
  response: { 200: object };
}

/**
 * The schemas that the contract has for an operation that reads, as one would write them into a route of Fastify.
 *
 * @param path `/workspaces/{workspaceId}/branches/v1`
 */
export function routeSchema(path: keyof typeof contract.paths): RouteSchema {
  const { parameters: shared = [], get } = contract.paths[path] as unknown as {
    parameters?: object[];
    get: { parameters?: object[]; responses: { 200: object } };
  };
  const parameters = [...shared, ...(get.parameters ?? [])].map((one) => follow(one) as Parameter);
  const { content } = follow(get.responses[200]) as { content: { 'application/json': { schema: object } } };
  const of = (place: string): object => objectOf(parameters.filter((one) => one.in === place));
  return prefixReferences({
    params: of('path'),
    querystring: of('query'),
    response: { 200: content['application/json'].schema },
  });
}

function objectOf(parameters: readonly Parameter[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

function follow(value: unknown): unknown {
  const pointer = isObject(value) ? readReference(value) : undefined;
  return pointer === undefined ? value : findValue(contract, pointer);
}

/** A reference within the contract then leads there from any schema. */
function prefixReferences<Schema extends object>(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith('#') ? `contract${value}` : value,
  );
}
