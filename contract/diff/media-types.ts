import type { Located } from '../contract.ts';
import type { MediaTypeObject } from '../openapi.ts';
import { pointerTo } from '../pointers.ts';

/** A media type with the schema of what is sent in it; `true` where nothing is said of it. */
export interface MediaType extends Located<unknown> {
  name: string;
  definition: Located<MediaTypeObject>;
}

/** The media types of two versions: in which order they stand, and in which case, does not matter. */
export function matchMedia(
  old: Located<{ content?: Record<string, MediaTypeObject> }>,
  after: Located<{ content?: Record<string, MediaTypeObject> }>,
): { pairs: { old: MediaType; new: MediaType }[]; removed: MediaType[]; added: MediaType[] } {
  const [before, now] = [listMedia(old), listMedia(after)];
  const pairs = before.flatMap((one) => {
    const other = now.find(({ name }) => name === one.name) ?? now.find(({ name }) => isRangeOf(name, one.name));
    return other === undefined ? [] : [{ old: one, new: other }];
  });
  return {
    pairs,
    removed: before.filter((one) => !pairs.some((pair) => pair.old === one)),
    added: now.filter(({ name }) => !before.some((one) => one.name === name)),
  };
}

function listMedia({ value, pointer }: Located<{ content?: Record<string, MediaTypeObject> }>): MediaType[] {
  return Object.entries(value.content ?? {}).map(([written, definition]) => {
    const at = pointerTo(pointer, 'content', written);
    return {
      name: normalize(written),
      definition: { value: definition, pointer: at },
      value: definition.schema ?? true,
      pointer: pointerTo(at, 'schema'),
    };
  });
}

/** In small letters, with its parameters in order. */
function normalize(written: string): string {
  const [type = '', ...parameters] = written.toLowerCase().split(/\s*;\s*/);
  return [type.trim(), ...parameters.toSorted()].join(';');
}

function isRangeOf(range: string, name: string): boolean {
  return range === '*/*' || (range.endsWith('/*') && name.startsWith(range.slice(0, -1)));
}
