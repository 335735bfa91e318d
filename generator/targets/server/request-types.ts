import {
  capitalize,
  type Contract,
  type MediaTypeObject,
  type Operation,
  type ParameterLocation,
} from '@branchline/contract';
import { quote, printUnion } from '../../typescript/code.ts';
import { printItemType } from '../../typescript/json-stream.ts';
import { stripParameters, classifyMediaType } from '../../typescript/media-types.ts';
import type { Models } from '../../typescript/models.ts';

export function nameRequestType({ id }: Operation): string {
  return `${capitalize(id)}Request`;
}

/** The members of an operation's request type, each with its type; all but the body's. */
export function listRequestMembers(operation: Operation): [name: string, type: string][] {
  return [
    ['params', printParametersType(operation, 'path')],
    ['query', printParametersType(operation, 'query')],
    ['headers', printParametersType(operation, 'header')],
    ['cookies', printParametersType(operation, 'cookie')],
    ['principals', printPrincipalsType(operation)],
    ['raw', 'FastifyRequest'],
  ];
}

/** What the body can be; more than one where the contract documents several media types. */
export function listBodyMembers(
  contract: Contract,
  models: Models,
  operation: Operation,
): { type: string | undefined; body: string }[] {
  const { requestBody } = operation;
  const content = Object.entries(requestBody?.value.content ?? {});
  const bodies = content.map(([type, media]) => ({
    type: content.length > 1 ? printMediaType(stripParameters(type)) : undefined,
    body: printBodyType(contract, models, operation, [type, media]),
  }));
  if (requestBody === undefined || requestBody.value.required === true) return bodies;
  const [first, ...more] = bodies;
  if (first === undefined) return [];
  return more.length === 0
    ? [{ type: undefined, body: `${first.body} | undefined` }]
    : [...bodies, { type: 'undefined', body: 'undefined' }];
}

/** A range such as `image/*` stands for any type in it. */
export function printMediaType(type: string): string {
  return type.includes('*') ? `\`${type.replaceAll('*', '${string}')}\`` : quote(type);
}

function printParametersType({ id, parameters }: Operation, place: ParameterLocation): string {
  if (!parameters.some(({ value }) => value.in === place)) return 'Nothing';
  return `NonNullable<operations[${quote(id)}]['parameters'][${quote(place)}]>`;
}

function printBodyType(
  contract: Contract,
  models: Models,
  operation: Operation,
  [mediaType, media]: [string, MediaTypeObject],
): string {
  if (mediaType.includes('*')) return 'unknown';
  const documented = `NonNullable<operations[${quote(operation.id)}]['requestBody']>['content'][${quote(mediaType)}]`;
  const name = (): string => models.nameRequest(operation, { mediaType, schema: media.schema, documented });
  switch (classifyMediaType(mediaType)) {
    case 'json':
    case 'form':
    case 'multipart':
      return name();
    case 'items':
      return `AsyncIterable<${printItemType(contract, media, name())}>`;
    case 'text':
      return 'string';
    case 'binary':
      return 'Buffer';
  }
}

function printPrincipalsType({ security }: Operation): string {
  const alternatives = security.map((requirement) => Object.keys(requirement));
  const possible = printUnion([...new Set(alternatives.flat())].map(quote));
  const [only, ...others] = alternatives.map((schemes) => printUnion(schemes.map(quote)));
  if (only === undefined) return 'Pick<P, never>';
  if (others.length === 0) return `Pick<P, ${only}>`;
  return printUnion([only, ...others].map((proven) => `Verified<P, ${proven}, ${possible}>`));
}
