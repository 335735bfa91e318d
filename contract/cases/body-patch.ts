import { type Json, withValueAt } from '../json.ts';
import { fromPointer } from '../pointers.ts';
import type { BodyPatch, Change } from './case.ts';

/**
 * Makes the text of a request body.
 *
 * @param prepare changes the base body before the case's own change is put on top, so that what the case is about survives.
 * @throws Error where the patch names a base that `bodies` has not.
 */
export function bodyText(patch: BodyPatch, bodies: Record<string, Json>, prepare?: (body: Json) => Json): string {
  return 'text' in patch ? patch.text : JSON.stringify(bodyValue(patch, bodies, prepare));
}

/** The same as a value; `undefined` where there is no body or it is raw text. */
export function bodyValue(
  patch: BodyPatch | undefined,
  bodies: Record<string, Json>,
  prepare: (body: Json) => Json = (body) => body,
): Json | undefined {
  if (patch === undefined || 'text' in patch) return undefined;
  const base = bodies[patch.base];
  if (base === undefined) throw new Error(`The case file has no body "${patch.base}".`);
  const prepared = prepare(base);
  return 'at' in patch ? withValueAt(prepared, fromPointer(patch.at), applyChange(patch)) : prepared;
}

function applyChange(change: Change): Json | undefined {
  if ('value' in change) return change.value;
  if ('repeat' in change) return change.before + change.repeat.repeat(change.times) + change.after;
  if ('repeatItem' in change) return Array.from({ length: change.times }, () => change.repeatItem);
  return undefined;
}
