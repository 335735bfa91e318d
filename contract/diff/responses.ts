import type { DocumentedResponse, Located } from '../contract.ts';
import type { ResponseObject } from '../openapi.ts';
import { isObject, pointerTo } from '../pointers.ts';
import { resolveIn } from '../references.ts';
import { type Change, come, type Diff, gone, type OperationPair } from './change.ts';
import { matchMedia } from './media-types.ts';

/** Changes of what an operation answers. */
export function compareResponses(diff: Diff, { old, new: after }: OperationPair): Change[] {
  return [
    ...old.responses.flatMap((response) => {
      const other = findVersion(response, after.responses);
      return other === undefined ? [describeRemoved(response)] : compareResponse(diff, response, other);
    }),
    ...after.responses
      .filter(({ status }) => !old.responses.some((response) => response.status === status))
      .map(describeAdded),
  ];
}

/** A status is also documented by its range. */
function findVersion({ status }: DocumentedResponse, responses: readonly DocumentedResponse[]) {
  return (
    responses.find((response) => response.status === status) ??
    responses.find((response) => response.status.toUpperCase() === `${status.charAt(0)}XX`)
  );
}

function isSuccess({ status }: DocumentedResponse): boolean {
  return status.startsWith('2');
}

function describeRemoved(response: DocumentedResponse): Change {
  const rule = isSuccess(response) ? 'response-success-status-removed' : 'response-non-success-status-removed';
  return gone(rule, response.pointer, `the answer ${response.status} was removed`);
}

function describeAdded(response: DocumentedResponse): Change {
  const rule = isSuccess(response) ? 'response-success-status-added' : 'response-non-success-status-added';
  return come(rule, response.pointer, `the answer ${response.status} is new`);
}

function compareResponse(diff: Diff, old: DocumentedResponse, after: DocumentedResponse): Change[] {
  const { pairs, removed, added } = matchMedia(old, after);
  return [
    ...removed.map(({ name, definition }) =>
      gone('response-media-type-removed', definition.pointer, `${name} is not sent any more`),
    ),
    ...added.map(({ name, definition }) =>
      come('response-media-type-added', definition.pointer, `${name} may be sent now`),
    ),
    ...pairs.flatMap((media) =>
      diff.compareSchemas('response-body', ({ views }) => ({ old: views.old(media.old), new: views.new(media.new) })),
    ),
    ...compareHeaders(diff, old, after),
  ];
}

type Header = Located<Readonly<Record<string, unknown>>>;

/** Headers are known in any case. */
function compareHeaders(diff: Diff, old: DocumentedResponse, after: DocumentedResponse): Change[] {
  const before = listHeaders(diff.old.document, old);
  const now = listHeaders(diff.new.document, after);
  return [
    ...[...before].flatMap(([name, header]) => {
      const other = now.get(name);
      if (other !== undefined) return compareHeader(diff, name, header, other);
      const rule = isRequired(header) ? 'required-response-header-removed' : 'optional-response-header-removed';
      return [gone(rule, header.pointer, `the header "${name}" was removed`)];
    }),
    ...[...now]
      .filter(([name]) => !before.has(name))
      .map(([name, header]) => come('response-header-added', header.pointer, `the header "${name}" is new`)),
  ];
}

function compareHeader(diff: Diff, name: string, old: Header, after: Header): Change[] {
  const need = compareNeed(name, old, after);
  if (old.value['content'] !== undefined || after.value['content'] !== undefined) return need;
  return [
    ...need,
    ...diff.compareSchemas(
      'response-header',
      ({ views }) => ({ old: views.old(schemaOf(old)), new: views.new(schemaOf(after)) }),
      { isText: true },
    ),
  ];
}

function compareNeed(name: string, old: Header, after: Header): Change[] {
  if (isRequired(old) === isRequired(after)) return [];
  return isRequired(after)
    ? [come('response-header-became-required', after.pointer, `the header "${name}" is always sent now`)]
    : [gone('response-header-became-optional', old.pointer, `the header "${name}" is not always sent any more`)];
}

function listHeaders(
  document: Diff['old']['document'],
  { value, pointer }: Located<ResponseObject>,
): Map<string, Header> {
  return new Map(
    Object.entries(value.headers ?? {}).map(([name, header]) => {
      const found = resolveIn<unknown>(document, header, pointerTo(pointer, 'headers', name));
      return [name.toLowerCase(), { value: isObject(found.value) ? found.value : {}, pointer: found.pointer }];
    }),
  );
}

function isRequired({ value }: Header): boolean {
  return value['required'] === true;
}

function schemaOf({ value, pointer }: Header): Located<unknown> {
  return { value: value['schema'] ?? true, pointer: pointerTo(pointer, 'schema') };
}
