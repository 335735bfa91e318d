import type {
  Contract,
  Located,
  MediaTypeObject,
  Operation,
  OperationObject,
  ParameterObject,
  Schema,
} from '@branchline/contract';
import { printKdoc } from '../kdoc.ts';
import { quote } from '../literals.ts';
import { simplifySchema } from './plain-schema.ts';

/** How a body travels: the best first. */
const KINDS = ['json', 'form', 'text', 'bytes'] as const;
type Kind = (typeof KINDS)[number];

/**
 * An operation as the templates are to see it: one kind of body, the parameters that a method takes, and the first success.
 * Every other answer is an error, whatever its body.
 */
export function simplifyOperation(contract: Contract, operation: Operation): OperationObject {
  const { definition, id, method, parameters, path, requestBody } = operation;
  const { summary, description, tags } = definition;
  const success = operation.responses.find(({ status }) => status.startsWith('2'));
  const sent = selectBody(requestBody?.value.content);
  const got = selectBody(success?.value.content);
  const said = [summary, description].filter((text) => text !== undefined).join('\n\n');
  return {
    operationId: id,
    tags: Array.isArray(tags) ? tags.slice(0, 1) : [],
    'x-kdoc': printKdoc(said || `${method.toUpperCase()} ${path}`),
    'x-path': quote(path),
    'x-security': listSchemes(operation).map(quote),
    parameters: parameters.map((parameter) => simplifyParameter(contract, parameter)),
    ...(sent && {
      'x-sends': makeView(sent),
      requestBody: { content: makeContent(contract, sent), required: requestBody?.value.required ?? false },
    }),
    ...(got && { 'x-gets': makeView(got) }),
    responses: {
      [success?.status ?? '200']: {
        description: 'Success',
        ...(got?.kind === 'json' && { content: makeContent(contract, got) }),
      },
    },
  };
}

interface Body {
  kind: Kind;
  media: string;
  schema: unknown;
}

/** The kind as a name that is true, since that is all that a template can ask for. */
function makeView({ kind, media }: Body): object {
  return { media: quote(media.includes('*') ? 'application/octet-stream' : media), [kind]: true };
}

/** The body that Kotlin handles best, of those that there are. */
function selectBody(content: Record<string, MediaTypeObject> = {}): Body | undefined {
  const bodies = Object.entries(content).map(([media, { schema }]) => ({ kind: classifyBody(media), media, schema }));
  return bodies.toSorted((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind))[0];
}

function classifyBody(media: string): Kind {
  if (/^application\/(?:.+\+)?json\b/.test(media)) return 'json';
  if (media.startsWith('application/x-www-form-urlencoded')) return 'form';
  return media.startsWith('text/') && !media.includes('*') ? 'text' : 'bytes';
}

/** All under one media type: how it travels is said by `x-sends` and `x-gets`. */
function makeContent(contract: Contract, { kind, schema }: Body): Record<string, MediaTypeObject> {
  const types: Record<Kind, Schema> = {
    json: simplifySchema(contract, schema),
    form: { type: 'object', additionalProperties: { type: 'string' } },
    text: { type: 'string' },
    bytes: { type: 'string', format: 'byte' },
  };
  return { 'application/json': { schema: types[kind] } };
}

function simplifyParameter(contract: Contract, { value }: Located<ParameterObject>): ParameterObject {
  const schema = simplifySchema(contract, value.schema === undefined ? undefined : contract.resolve(value.schema));
  const exploded = value.explode ?? (value.style === undefined || value.style === 'form');
  return {
    name: value.name,
    in: value.in,
    required: value.in === 'path' || value.required === true,
    schema: simplifyArgument(schema),
    ...(schema['type'] === 'array' && exploded && value.in === 'query' ? { 'x-repeated': true } : {}),
    'x-separator': value.style === 'spaceDelimited' ? ' ' : value.style === 'pipeDelimited' ? '|' : ',',
  };
}

/** A parameter is a scalar or a list of texts; what is more is written out by the caller. */
function simplifyArgument(schema: Record<string, unknown>): Record<string, unknown> {
  const type = schema['type'];
  if (type === 'array') return { type, items: { type: 'string' } };
  const isScalar = type === 'integer' || type === 'number' || type === 'boolean';
  return isScalar ? schema : { type: 'string' };
}

/** The names of all schemes that an operation may be called with. */
function listSchemes({ security }: Operation): string[] {
  return [...new Set(security.flatMap((requirement) => Object.keys(requirement)))];
}
