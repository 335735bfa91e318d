import {
  capitalize,
  type Contract,
  type DocumentedResponse,
  type MediaTypeObject,
  type Operation,
} from '@branchline/contract';
import { quote, printUnion } from '../../typescript/code.ts';
import { printItemType } from '../../typescript/json-stream.ts';
import { stripParameters, isEventStream, classifyMediaType } from '../../typescript/media-types.ts';
import { printMediaType } from './request-types.ts';
import type { Models } from '../../typescript/models.ts';
import { findTypes } from '../../typescript/schema-types.ts';

export function nameReplyType({ id }: Operation): string {
  return `${capitalize(id)}Reply`;
}

/** The alternatives of an operation's reply type: one for each documented status and media type. */
export function listReplyAlternatives(contract: Contract, models: Models, operation: Operation): string[] {
  const { id, responses } = operation;
  if (responses.length === 0) return ['{ status: HttpStatus; body?: never }'];
  return responses.flatMap((response) => {
    const status = printStatusType(response.status, responses);
    const documented = `operations[${quote(id)}]['responses'][${printStatusKey(response.status)}]`;
    const headers = `headers${needsHeaders(contract, response) ? '' : '?'}: ${documented}['headers']`;
    const content = response.value.content ?? {};
    const media = Object.keys(content);
    if (media.length === 0) return [`{ status: ${status}; ${headers}; body?: never }`];
    return Object.entries(content).map(([type, object]) => {
      const named = needsType(media) ? `type: ${printMediaType(type)}; ` : '';
      const name = (): string =>
        models.nameReply(operation, response, {
          mediaType: type,
          schema: object.schema,
          documented: `${documented}['content'][${quote(type)}]`,
        });
      const body = isEventStream(type)
        ? printEventsType(contract, name, object)
        : printBodyType(contract, name, [type, object]);
      return `{ status: ${status}; ${named}${headers}; body: ${body} }`;
    });
  });
}

/** One media type goes without saying, unless it is a range: then the handler must say which of it. */
export function needsType(media: readonly string[]): boolean {
  const [only = '', ...more] = media;
  return more.length > 0 || (only.includes('*') && only !== '*/*');
}

function printEventsType(contract: Contract, name: () => string, media: MediaTypeObject): string {
  return `Events<${hasTextEvents(contract, media) ? 'string' : name()}>`;
}

/** Whether the data of events is text; where their schema describes more than a text, it is JSON. */
export function hasTextEvents(contract: Contract, { schema }: MediaTypeObject): boolean {
  const types = findTypes(contract, schema);
  return types.size === 0 || types.has('string');
}

function printBodyType(contract: Contract, name: () => string, [mediaType, media]: [string, MediaTypeObject]): string {
  switch (classifyMediaType(mediaType)) {
    case 'json':
      return name();
    case 'text':
    case 'form':
      return 'Text';
    case 'items':
      return `ItemStream<${printItemType(contract, media, name())}>`;
    case 'multipart':
    case 'binary':
      return stripParameters(mediaType).includes('*') ? 'Text | Bytes' : 'Bytes';
  }
}

function needsHeaders(contract: Contract, { value }: DocumentedResponse): boolean {
  return Object.values(value.headers ?? {}).some((header) => contract.resolve(header).required === true);
}

/** A status as a key of `operations[id]['responses']`. */
export function printStatusKey(status: string): string {
  return /^\d+$/.test(status) ? status : quote(status);
}

const classes: Record<string, string> = {
  '1XX': 'Informational',
  '2XX': 'Success',
  '3XX': 'Redirection',
  '4XX': 'ClientError',
  '5XX': 'ServerError',
};

/** The statuses that a response stands for, as a type: a class (`4XX`) and `default` stand for those that are not documented by themselves. */
export function printStatusType(status: string, responses: readonly DocumentedResponse[]): string {
  const whole = status === 'default' ? 'HttpStatus' : classes[status.toUpperCase()];
  if (whole === undefined) return status;
  const others = responses.map((response) => response.status).filter((other) => other !== status);
  const excluded = others.flatMap((other) => {
    const wholeClass = classes[other.toUpperCase()];
    if (wholeClass !== undefined) return status === 'default' ? [wholeClass] : [];
    return /^\d+$/.test(other) ? [other] : [];
  });
  return excluded.length === 0 ? whole : `Exclude<${whole}, ${printUnion(excluded)}>`;
}
