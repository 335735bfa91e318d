import { capitalize, type Operation, type ParameterLocation } from '@branchline/contract';
import { quoted, union } from '../../typescript/code.ts';
import { bareType, mediaKind } from '../../typescript/media-types.ts';

export function requestTypeName({ id }: Operation): string {
  return `${capitalize(id)}Request`;
}

/** The members of an operation's request type, each with its type; all but the body's. */
export function requestMembers(operation: Operation): [name: string, type: string][] {
  return [
    ['params', parametersType(operation, 'path')],
    ['query', parametersType(operation, 'query')],
    ['headers', parametersType(operation, 'header')],
    ['cookies', parametersType(operation, 'cookie')],
    ['principals', principalsType(operation)],
    ['raw', 'FastifyRequest'],
  ];
}

/** What the body can be; more than one where the contract documents several media types. */
export function bodyMembers({ id, requestBody }: Operation): { type: string | undefined; body: string }[] {
  const media = Object.keys(requestBody?.value.content ?? {});
  const bodies = media.map((type) => ({
    type: media.length > 1 ? typeOfMediaType(bareType(type)) : undefined,
    body: bodyType(id, type),
  }));
  if (requestBody === undefined || requestBody.value.required === true) return bodies;
  const [first, ...more] = bodies;
  if (first === undefined) return [];
  return more.length === 0
    ? [{ type: undefined, body: `${first.body} | undefined` }]
    : [...bodies, { type: 'undefined', body: 'undefined' }];
}

/** A range such as `image/*` stands for any type in it. */
export function typeOfMediaType(type: string): string {
  return type.includes('*') ? `\`${type.replaceAll('*', '${string}')}\`` : quoted(type);
}

function parametersType({ id, parameters }: Operation, place: ParameterLocation): string {
  if (!parameters.some(({ value }) => value.in === place)) return 'Nothing';
  return `NonNullable<operations[${quoted(id)}]['parameters'][${quoted(place)}]>`;
}

function bodyType(id: string, mediaType: string): string {
  if (mediaType.includes('*')) return 'unknown';
  switch (mediaKind(mediaType)) {
    case 'json':
    case 'form':
      return `NonNullable<operations[${quoted(id)}]['requestBody']>['content'][${quoted(mediaType)}]`;
    case 'text':
      return 'string';
    case 'binary':
      return 'Buffer';
  }
}

function principalsType({ security }: Operation): string {
  const alternatives = security.map((requirement) => Object.keys(requirement));
  const possible = union([...new Set(alternatives.flat())].map(quoted));
  const [only, ...others] = alternatives.map((schemes) => union(schemes.map(quoted)));
  if (only === undefined) return 'Pick<P, never>';
  if (others.length === 0) return `Pick<P, ${only}>`;
  return union([only, ...others].map((proven) => `Verified<P, ${proven}, ${possible}>`));
}
