import { type Json, withValueAt } from '../json.ts';
import { fromPointer } from '../pointers.ts';
import type { BodyRecipe, Change } from './case.ts';

/**
 * Makes the text of a request body.
 *
 * @param prepare changes the base body before the case's own change is put on top, so that what the case is about survives.
 * @throws Error where the recipe names a base that `bodies` has not.
 */
export function bodyText(recipe: BodyRecipe, bodies: Record<string, Json>, prepare?: (body: Json) => Json): string {
  return 'text' in recipe ? recipe.text : JSON.stringify(bodyValue(recipe, bodies, prepare));
}

/** The same as a value; `undefined` where there is no body or it is raw text. */
export function bodyValue(
  recipe: BodyRecipe | undefined,
  bodies: Record<string, Json>,
  prepare: (body: Json) => Json = (body) => body,
): Json | undefined {
  if (recipe === undefined || 'text' in recipe) return undefined;
  const base = bodies[recipe.base];
  if (base === undefined) throw new Error(`The case file has no body "${recipe.base}".`);
  const prepared = prepare(base);
  return 'at' in recipe ? withValueAt(prepared, fromPointer(recipe.at), changed(recipe)) : prepared;
}

function changed(change: Change): Json | undefined {
  if ('value' in change) return change.value;
  if ('repeat' in change) return change.before + change.repeat.repeat(change.times) + change.after;
  if ('repeatItem' in change) return Array.from({ length: change.times }, () => change.repeatItem);
  return undefined;
}
