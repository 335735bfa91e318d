import {
  capitalize,
  type Contract,
  type DocumentedResponse,
  type MediaTypeObject,
  type Operation,
  type ParameterLocation,
} from '@branchline/contract';
import { quote } from '../../typescript/code.ts';
import { printItemType } from '../../typescript/json-stream.ts';
import { stripParameters } from '../../typescript/media-types.ts';
import { needsType, printStatusKey, printStatusType } from '../server/reply-types.ts';
import { printMediaType } from '../server/request-types.ts';
import type { Models } from '../../typescript/models.ts';
import { classifyAnswer, classifyBody } from './body-kinds.ts';

export function nameRequestType({ id }: Operation): string {
  return `${capitalize(id)}Request`;
}

export function nameAnswerType({ id }: Operation): string {
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
export function printRequestType(contract: Contract, models: Models, operation: Operation): string {
  const { id, parameters, requestBody } = operation;
  const members = PLACES.flatMap(([member, place]) => {
    const ofPlace = parameters.filter(({ value }) => value.in === place);
    if (ofPlace.length === 0) return [];
    const optional = ofPlace.some(({ value }) => value.required === true) ? '' : '?';
    return [`${member}${optional}: NonNullable<operations[${quote(id)}]['parameters'][${quote(place)}]>`];
  });
  const bodies = Object.entries(requestBody?.value.content ?? {}).map(([type, media], index) =>
    printBodyMembers(contract, models, operation, { type, media, goesWithoutSaying: index === 0 }),
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

function printBodyMembers(
  contract: Contract,
  models: Models,
  operation: Operation,
  { type, media, goesWithoutSaying }: Sent,
): string {
  const bare = stripParameters(type);
  const kind = classifyBody(contract, type, media);
  const documented = `NonNullable<operations[${quote(operation.id)}]['requestBody']>['content'][${quote(type)}]`;
  const name = (): string => models.nameRequest(operation, { mediaType: type, schema: media.schema, documented });
  const body = {
    json: name,
    form: () => `${name()} | URLSearchParams`,
    multipart: () => `${name()} | FormData`,
    items: () => `Items<${printItemType(contract, media, name())}>`,
    text: () => 'string',
    bytes: () => 'Bytes',
  }[kind]();
  const sent = bare === '*/*' && kind === 'json' ? 'application/json' : bare;
  const optional = goesWithoutSaying && !sent.includes('*') ? '?' : '';
  return `{ type${optional}: ${printMediaType(sent)}; body: ${body} }`;
}

/** The types of what an operation may be answered: one for each documented status and media type. */
export function listAnswerTypes(contract: Contract, models: Models, operation: Operation): string[] {
  return operation.responses.flatMap((response) => {
    const status = printStatusType(response.status, operation.responses);
    const content = operation.method === 'head' ? [] : Object.entries(response.value.content ?? {});
    if (content.length === 0) return [`{ status: ${status}; headers: Headers; body: undefined }`];
    const types = content.map(([type]) => type);
    return content.map(([type, media]) => {
      const named = needsType(types) ? `type: ${printMediaType(stripParameters(type))}; ` : '';
      return `{ status: ${status}; ${named}headers: Headers; body: ${printAnswerBody(contract, models, operation, [response, type, media])} }`;
    });
  });
}

function printAnswerBody(
  contract: Contract,
  models: Models,
  operation: Operation,
  [response, type, media]: [DocumentedResponse, string, MediaTypeObject],
): string {
  const documented = `operations[${quote(operation.id)}]['responses'][${printStatusKey(response.status)}]['content'][${quote(type)}]`;
  const name = (): string =>
    models.nameReply(operation, response, { mediaType: type, schema: media.schema, documented });
  switch (classifyAnswer(contract, type, media)) {
    case 'json':
      return name();
    case 'items':
      return `AsyncIterable<${printItemType(contract, media, name())}>`;
    case 'events':
      return `EventStream<${name()}>`;
    case 'textEvents':
      return 'EventStream<string>';
    default:
      return 'Content';
  }
}
