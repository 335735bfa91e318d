import { DATA_FIELDS_OF_EXAMPLES } from './data-fields.ts';
import { isObject } from './pointers.ts';

type Fields = Record<string, unknown>;

/** Fields whose value maps names that an author chose: one may be that of a data field. */
const NAME_MAPS = new Set(
  'properties patternProperties dependentSchemas $defs definitions schemas parameters requestBodies responses headers content'.split(
    ' ',
  ),
);

/** A copy of a document, or of one of its maps, in which each object that may be a schema is what `change` makes of it, the innermost first. */
export function mapSchemas<T extends object>(root: T, change: (schema: Fields) => Fields): T {
  const copy = (value: unknown, isNameMap: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => copy(item, false));
    if (!isObject(value)) return value;
    const fields = Object.entries(value).map(([field, member]): [string, unknown] => {
      if (isNameMap) return [field, copy(member, false)];
      return [field, DATA_FIELDS_OF_EXAMPLES.has(field) ? member : copy(member, NAME_MAPS.has(field))];
    });
    const copied = Object.fromEntries(fields);
    return isNameMap ? copied : change(copied);
  };
  return copy(root, true) as T;
}
