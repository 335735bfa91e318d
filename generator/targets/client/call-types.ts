import {
  capitalize,
  type Contract,
  type DocumentedResponse,
  type MediaTypeObject,
  type Operation,
  type ParameterLocation,
} from '@branchline/contract';
import { quoted } from '../../typescript/code.ts';
import { bareType } from '../../typescript/media-types.ts';
import { needsType, statusKey, statusType } from '../server/reply-types.ts';
import { typeOfMediaType } from '../server/request-types.ts';
import { answerKind, clientKind } from './body-kinds.ts';

export function requestName({ id }: Operation): string {
  return `${capitalize(id)}Request`;
}

export function answerName({ id }: Operation): string {
  return `${capitalize(id)}Answer`;
}

const PLACES: readonly [member: string, place: ParameterLocation][] = [
  ['params', 'path'],
  ['query', 'query'],
  ['headers', 'header'],
  ['cookies', 'cookie'],
];

/** Whether a call can do without saying anything. */
export function asksForNothing({ parameters, requestBody }: Operation): boolean {
  return requestBody?.value.required !== true && !parameters.some(({ value }) => value.required === true);
}

/** The type of what an operation is called with. */
export function requestType(contract: Contract, operation: Operation): string {
  const { id, parameters, requestBody } = operation;
  const members = PLACES.flatMap(([member, place]) => {
    const ofPlace = parameters.filter(({ value }) => value.in === place);
    if (ofPlace.length === 0) return [];
    const optional = ofPlace.some(({ value }) => value.required === true) ? '' : '?';
    return [`${member}${optional}: NonNullable<operations[${quoted(id)}]['parameters'][${quoted(place)}]>`];
  });
  const bodies = Object.entries(requestBody?.value.content ?? {}).map(([type, media], index) =>
    bodyMembers(contract, operation, { type, media, goesWithoutSaying: index === 0 }),
  );
  const own = `{ ${members.join('; ')} }`;
  if (bodies.length === 0) return own;
  const none = requestBody?.value.required === true ? [] : ['{ type?: undefined; body?: undefined }'];
  return `${own} & (${[...bodies, ...none].map((body) => `\n  | ${body}`).join('')}\n)`;
}

interface Sent {
  type: string;
  media: MediaTypeObject;
  goesWithoutSaying: boolean;
}

function bodyMembers(contract: Contract, { id }: Operation, { type, media, goesWithoutSaying }: Sent): string {
  const bare = bareType(type);
  const kind = clientKind(contract, type, media);
  const documented = `NonNullable<operations[${quoted(id)}]['requestBody']>['content'][${quoted(type)}]`;
  const body = { json: documented, form: `${documented} | URLSearchParams`, text: 'string', bytes: 'Bytes' }[kind];
  const sent = bare === '*/*' && kind === 'json' ? 'application/json' : bare;
  const optional = goesWithoutSaying && !sent.includes('*') ? '?' : '';
  return `{ type${optional}: ${typeOfMediaType(sent)}; body: ${body} }`;
}

/** The types of what an operation may be answered: one for each documented status and media type. */
export function answerTypes(contract: Contract, operation: Operation): string[] {
  return operation.responses.flatMap((response) => {
    const status = statusType(response.status, operation.responses);
    const content = operation.method === 'head' ? [] : Object.entries(response.value.content ?? {});
    if (content.length === 0) return [`{ status: ${status}; headers: Headers; body: undefined }`];
    const types = content.map(([type]) => type);
    return content.map(([type, media]) => {
      const named = needsType(types) ? `type: ${typeOfMediaType(bareType(type))}; ` : '';
      return `{ status: ${status}; ${named}headers: Headers; body: ${answerBody(contract, operation, response, [type, media])} }`;
    });
  });
}

function answerBody(
  contract: Contract,
  { id }: Operation,
  { status }: DocumentedResponse,
  [type, media]: [string, MediaTypeObject],
): string {
  const documented = `operations[${quoted(id)}]['responses'][${statusKey(status)}]['content'][${quoted(type)}]`;
  switch (answerKind(contract, type, media)) {
    case 'json':
      return documented;
    case 'events':
      return `EventStream<${documented}>`;
    case 'textEvents':
      return 'EventStream<string>';
    default:
      return 'Content';
  }
}
