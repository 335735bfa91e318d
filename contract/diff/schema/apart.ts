import { isObject, pointerTo } from '../../pointers.ts';
import { isSame } from './change.ts';
import { typesOf } from './types.ts';
import { readAllowed } from './values.ts';
import { findKeyword, type Part, type View } from './view.ts';

/** Whether it is plain that no value fits both schemas: by their types, their values, or those of a property that both require. */
export function areApart(one: View, other: View): boolean {
  if (one.isFalse || other.isFalse || areDisjoint(one, other)) return true;
  const types = new Set([...typesOf(one)].filter((type) => typesOf(other).has(type)));
  if (types.size !== 1 || !types.has('object')) return false;
  return [...listRequired(one)].some(
    (name) => listRequired(other).has(name) && areDisjoint(readOwn(one, name), readOwn(other, name)),
  );
}

function areDisjoint(one: View, other: View): boolean {
  const types = typesOf(other);
  if (![...typesOf(one)].some((type) => types.has(type))) return true;
  const [before, after] = [readAllowed(one), readAllowed(other)];
  return (
    before !== undefined && after !== undefined && !before.some((value) => after.some((same) => isSame(value, same)))
  );
}

function listRequired(view: View): Set<string> {
  return new Set(findKeyword(view, 'required').flatMap(({ value }) => (Array.isArray(value) ? value.map(String) : [])));
}

/** What a schema says of a property in so many words: references of it are not followed. */
function readOwn(view: View, name: string): View {
  const parts = findKeyword(view, 'properties').flatMap(({ value, pointer }): Part[] => {
    const schema = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    return isObject(schema) ? [{ pointer: pointerTo(pointer, name), schema, orNull: false }] : [];
  });
  return { ...view, parts, groups: [], isFalse: false };
}
