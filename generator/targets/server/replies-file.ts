import {
  type Contract,
  type DocumentedResponse,
  EACH_EXTENSION,
  follow,
  type MediaTypeObject,
  mapSchemas,
  pointerTo,
  toReplySchemas,
} from '@branchline/contract';
import type { ReplyDocument, ReplyMedia, ReplyPlan } from '@branchline/runtime';
import { generatedHeader } from '../../target.ts';
import { findItemPointer } from '../../typescript/json-stream.ts';
import { classifyMediaType, isEventStream, isJsonStream, stripParameters } from '../../typescript/media-types.ts';
import { findTypes } from '../../typescript/schema-types.ts';
import { selectReachable } from './schemas-file.ts';

/** What replies are checked by, as data. */
export function printReplies(contract: Contract): string {
  return `${JSON.stringify({ 'x-branchline-generated': generatedHeader(contract), ...planReplies(contract) }, null, 2)}\n`;
}

export function planReplies(contract: Contract): ReplyDocument {
  const plans = contract.operations.map(({ id, responses }): [string, ReplyPlan[]] => [
    id,
    responses.map((response) => planReply(contract, response)),
  ]);
  const pointers = plans.flatMap(([, replies]) =>
    replies.flatMap(({ media, headers }) => [...media, ...headers].flatMap(({ schema }) => schema ?? [])),
  );
  const document = mapSchemas(toReplySchemas(contract.document), checkItems);
  return { operations: Object.fromEntries(plans), schemas: selectReachable(document, pointers) };
}

/** The items of such an array are the handler's to check in requests alone. */
function checkItems(schema: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== EACH_EXTENSION));
}

function planReply(contract: Contract, { status, value, pointer }: DocumentedResponse): ReplyPlan {
  const headers = Object.keys(value.headers ?? {}).filter((name) => name.toLowerCase() !== 'content-type');
  return {
    status: status.replace(/xx$/i, 'XX'),
    media: Object.entries(value.content ?? {}).map(([type, media]) =>
      planMedia(contract, type, media, pointerTo(pointer, 'content', type)),
    ),
    headers: headers.map((name) => {
      const header = follow<{ required?: boolean; schema?: unknown }>(
        contract.document,
        pointerTo(pointer, 'headers', name),
      );
      const { required = false, schema } = header.value;
      return { name, required, ...(schema !== undefined && { schema: pointerTo(header.pointer, 'schema') }) };
    }),
  };
}

function planMedia(contract: Contract, type: string, media: MediaTypeObject, pointer: string): ReplyMedia {
  const { schema } = media;
  const kind = classifyReply(type);
  const types = findTypes(contract, schema);
  // The schema of an XML document describes its elements, not the text that the handler gives.
  const checkable = kind === 'json' || kind === 'items' || (kind === 'text' && types.size === 1 && types.has('string'));
  const whole = schema !== undefined && checkable ? pointerTo(pointer, 'schema') : undefined;
  const place = isJsonStream(type) ? findItemPointer(contract, media, pointer) : whole;
  return {
    type: stripParameters(type),
    kind,
    ...(place !== undefined && { schema: place }),
  };
}

function classifyReply(type: string): ReplyMedia['kind'] {
  if (isEventStream(type)) return 'items';
  const kind = classifyMediaType(type);
  if (kind === 'form') return 'text';
  return kind === 'multipart' ? 'binary' : kind;
}
