import { type Json, withValueAt } from '../json.ts';
import { fromPointer } from '../pointers.ts';
import type { BodyPatch, CaseRequest, Change } from './case.ts';
import { writeForm } from './form.ts';

/** The text of a request's body, whose value {@link bodyValue} gives; `undefined` where there is none, or a form can't hold the value. */
export function writeBody({ body, form }: CaseRequest, value: Json | undefined): string | undefined {
  if (body !== undefined && 'text' in body) return body.text;
  if (value === undefined) return undefined;
  return form === undefined ? JSON.stringify(value) : writeForm(form, value)?.text;
}

/**
 * The value of a request's body; `undefined` where there is none, or it is raw text.
 *
 * @param prepare changes the base body before the case's own change is put on top, so that what the case is about survives.
 * @throws Error where the patch names a base that `bodies` has not.
 */
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
