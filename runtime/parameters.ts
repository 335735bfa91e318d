import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { FastifyRequest } from 'fastify';
import { ContractError } from './contract-error.ts';
import { makeReference, type ContractSchemas } from './contract-schemas.ts';
import { parseJson } from './json.ts';
import { decode, readFromQuery, readFromText, splitQuery, type Deserialized } from './parameter-styles.ts';
import type { OperationPlan, ParameterPlan } from './plan.ts';
import { isNumber, wouldBeRounded } from './text-values.ts';
import { chooseError, describeDemand, SAFE_RANGE, toFieldName } from './validation-errors.ts';

type Values = Record<string, unknown>;

/** The parameters of an operation, deserialized, coerced to their schema's types, and valid. */
export interface Parameters {
  params: Values;
  query: Values;
  headers: Values;
  cookies: Values;
}

const nothing: Values = Object.freeze({});

/**
 * Prepares the reading of an operation's parameters. Everything that is not documented is left out.
 *
 * The function it gives throws a ContractError of kind `parameters`.
 */
export function createParameterReader(
  { parameters }: OperationPlan,
  schemas: ContractSchemas,
): (request: FastifyRequest) => Parameters {
  const of = (place: ParameterPlan['in']): ParameterPlan[] => parameters.filter((plan) => plan.in === place);
  const readPath = createReader(of('path'), schemas);
  const readQuery = createReader(of('query'), schemas);
  const readHeaders = createReader(of('header'), schemas);
  const readCookies = createReader(of('cookie'), schemas);
  const claimed = new Set(of('query').map(({ key }) => key));

  return (request) => ({
    params: readPath(() => readPathValues(request.params as Record<string, string>)),
    query: readQuery(() => readQueryValues(request.raw.url ?? '', claimed)),
    headers: readHeaders(() => readHeaderValues(request.headers)),
    cookies: readCookies(() => readCookieValues(request.headers.cookie ?? '')),
  });
}

type Source = (plan: ParameterPlan) => Deserialized | undefined;

/** Without parameters there is nothing to do per request. */
function createReader(plans: readonly ParameterPlan[], schemas: ContractSchemas): (sourceOf: () => Source) => Values {
  if (plans.length === 0) return () => nothing;
  const validate = schemas.compile(makeSchema(plans));
  const defaults = selectDefaults(plans, schemas);
  return (sourceOf) => {
    const source = prepareSource(sourceOf);
    const values: Values = {};
    for (const plan of plans) {
      const written = read(plan, source, schemas);
      if (written !== undefined) values[plan.name] = written;
      else if (defaults.has(plan)) values[plan.name] = structuredClone(defaults.get(plan));
    }
    if (!validate(values)) throw describeProblem(plans, chooseError(validate.errors));
    return values;
  };
}

function makeSchema(plans: readonly ParameterPlan[]): object {
  const properties = plans.map(({ name, schema }) => [name, schema === undefined ? true : makeReference(schema)]);
  const required = plans.filter((plan) => plan.required).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

/** A default that does not fit its own schema is none: it would refuse every request that leaves the parameter out. */
function selectDefaults(plans: readonly ParameterPlan[], schemas: ContractSchemas): Map<ParameterPlan, unknown> {
  const defaults = plans.flatMap((plan): [ParameterPlan, unknown][] => {
    const { schema, default: written } = plan;
    if (written === undefined) return [];
    if (schema === undefined) return [[plan, written]];
    const value = typeof written === 'string' ? schemas.readText(schema, written) : written;
    return schemas.compile(makeReference(schema))(value) ? [[plan, value]] : [];
  });
  return new Map(defaults);
}

function read(plan: ParameterPlan, source: Source, schemas: ContractSchemas): unknown {
  const text = decodeValue(plan, source);
  if (text === undefined) return undefined;
  if (plan.shape === 'json') return parseValue(plan, text);
  if (plan.numeric) requireNumbers(plan, text);
  return plan.schema === undefined ? text : schemas.readText(plan.schema, text);
}

function requireNumbers(plan: ParameterPlan, text: Deserialized): void {
  const texts = Array.isArray(text) ? text : [text];
  if (!texts.every((one) => typeof one === 'string' && isNumber(one))) {
    const demand = plan.shape === 'array' ? 'numbers' : 'a number';
    throw new ContractError('parameters', `The ${nameParameter(plan)} must be ${demand}.`);
  }
  if (texts.some((one) => typeof one === 'string' && wouldBeRounded(one)))
    throw new ContractError('parameters', `The ${nameParameter(plan)} must be ${SAFE_RANGE}.`);
}

function prepareSource(sourceOf: () => Source): Source {
  try {
    return sourceOf();
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new ContractError('parameters', 'The query string is not validly percent-encoded.');
  }
}

function decodeValue(plan: ParameterPlan, source: Source): Deserialized | undefined {
  try {
    return source(plan);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new ContractError('parameters', `The ${nameParameter(plan)} is not validly percent-encoded.`);
  }
}

function parseValue(plan: ParameterPlan, text: Deserialized): unknown {
  try {
    return parseJson(Buffer.from(String(text)));
  } catch {
    throw new ContractError('parameters', `The ${nameParameter(plan)} must be JSON.`);
  }
}

function readPathValues(texts: Record<string, string>): Source {
  return (plan) => {
    const text = texts[plan.key];
    // The router matches `/a//b` with `/a/{id}/b`; an empty part is no id. Nor is one with U+0000: not every database takes it.
    if (text === undefined || text === '' || text.includes('\0'))
      throw new ContractError('path', 'There is nothing at this path.');
    return readFromText(plan, text);
  };
}

function readHeaderValues(headers: IncomingHttpHeaders): Source {
  return (plan) => {
    const text = headers[plan.key];
    return text === undefined ? undefined : readFromText(plan, String(text));
  };
}

function readQueryValues(url: string, claimed: ReadonlySet<string>): Source {
  const start = url.indexOf('?');
  const query = splitQuery(start === -1 ? '' : url.slice(start + 1));
  return (plan) => readFromQuery(plan, query, claimed);
}

function readCookieValues(header: string): Source {
  const cookies = new Map(
    header.split(';').map((pair): [string, string] => {
      const equals = pair.indexOf('=');
      return [pair.slice(0, Math.max(equals, 0)).trim(), pair.slice(equals + 1).trim()];
    }),
  );
  return (plan) => {
    const text = cookies.get(plan.key);
    return text === undefined ? undefined : readFromText(plan, decode(text));
  };
}

function describeProblem(plans: readonly ParameterPlan[], error: ErrorObject | undefined): ContractError {
  const missing: unknown = error?.instancePath === '' ? error.params['missingProperty'] : undefined;
  const [, top = ''] = (error?.instancePath ?? '').split('/');
  const name = typeof missing === 'string' ? missing : toFieldName(`/${top}`);
  const plan = plans.find((candidate) => candidate.name === name);
  const subject = `The ${plan === undefined ? `parameter "${name}"` : nameParameter(plan)}`;
  if (error === undefined || missing !== undefined) return new ContractError('parameters', `${subject} is missing.`);
  const inside = toFieldName(error.instancePath.slice(top.length + 1));
  const at = inside === '' ? '' : `, at "${inside}",`;
  return new ContractError('parameters', `${subject}${at} ${describeDemand(error)}.`);
}

function nameParameter(plan: ParameterPlan): string {
  return `${plan.in} parameter "${plan.name}"`;
}
