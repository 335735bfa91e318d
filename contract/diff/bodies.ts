import { pointerTo } from '../pointers.ts';
import { type Change, come, type Diff, gone, type OperationPair } from './change.ts';
import { type MediaType, matchMedia } from './media-types.ts';
import { isSame } from './schema/change.ts';

/** Changes of what an operation takes as a body. */
export function compareRequestBodies(diff: Diff, pair: OperationPair): Change[] {
  const [before, after] = [pair.old.requestBody, pair.new.requestBody];
  if (before === undefined && after === undefined) return [];
  if (after === undefined) return [gone('request-body-removed', before?.pointer ?? '', 'no body is taken any more')];
  if (before === undefined) {
    return [
      after.value.required === true
        ? come('request-body-added-required', after.pointer, 'a body is required now')
        : come('request-body-added-optional', after.pointer, 'a body may be sent now'),
    ];
  }
  const changes: Change[] = [];
  if (before.value.required !== true && after.value.required === true) {
    changes.push(
      come('request-body-became-required', pointerTo(after.pointer, 'required'), 'the body is required now'),
    );
  }
  if (before.value.required === true && after.value.required !== true) {
    const pointer = pointerTo(before.pointer, 'required');
    changes.push(gone('request-body-became-optional', pointer, 'the body is not required any more'));
  }
  const { pairs, removed, added } = matchMedia(before, after);
  return [
    ...changes,
    ...removed.map(({ name, definition }) =>
      gone('request-body-media-type-removed', definition.pointer, `${name} is not taken any more`),
    ),
    ...added.map(({ name, definition }) =>
      come('request-body-media-type-added', definition.pointer, `${name} is taken now`),
    ),
    ...pairs.flatMap((media) => [
      ...compareEncodings(media.old, media.new),
      ...diff.compareSchemas(
        'request-body',
        ({ views }) => ({ old: views.old(media.old), new: views.new(media.new) }),
        {
          isText: false,
        },
      ),
    ]),
  ];
}

/** How the fields of a form are written. */
function compareEncodings(old: MediaType, after: MediaType): Change[] {
  const [before, now] = [old.definition.value.encoding ?? {}, after.definition.value.encoding ?? {}];
  return Object.keys({ ...before, ...now })
    .filter((field) => !isSame(before[field] ?? {}, now[field] ?? {}))
    .map((field) =>
      come(
        'request-body-encoding-changed',
        pointerTo(after.definition.pointer, 'encoding', field),
        `the field "${field}" is written in another way`,
      ),
    );
}
