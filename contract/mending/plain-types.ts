import type { Fields } from './fault.ts';

/** What Swagger 2.0 has of a schema in a parameter or header itself. */
const KEYWORDS =
  'type format items default enum maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems multipleOf'.split(
    ' ',
  );

/** Takes the keywords of a schema out of a parameter or header that has them itself; `undefined` where it names no type. */
export function makeSchema(owner: Fields): Fields | undefined {
  if (typeof owner['type'] !== 'string') return undefined;
  const found = Object.entries(owner).filter(([field]) => KEYWORDS.includes(field));
  for (const [field] of found) delete owner[field];
  return Object.fromEntries(found);
}
